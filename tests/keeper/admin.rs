//! `playpost admin` and `playpost doctor`.
