//! (room laid out; see ARCHITECTURE.md)
