//! The templates are compiled in: the library is built again when one of them changes or is added.

fn main() {
    println!("cargo:rerun-if-changed=templates");
}
