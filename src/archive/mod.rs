//! ARCHIVE: finished matches out to records and back.
