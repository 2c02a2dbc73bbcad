use std::sync::Arc;

use tokio::sync::watch;

/// The word to stop after the mail in hand, said once and heard by all that hold a clone of it.
#[derive(Clone, Debug)]
pub struct Stop(Arc<watch::Sender<bool>>);

impl Stop {
    pub fn new() -> Self {
        Stop(Arc::new(watch::Sender::new(false)))
    }

    /// Says it.
    pub fn stop(&self) {
        self.0.send_replace(true);
    }

    pub fn is_stopped(&self) -> bool {
        *self.0.borrow()
    }

    /// Waits until it is said.
    pub async fn stopped(&self) {
        // The sender lives as long as we do, so that the wait ends by the word alone.
        let _ = self.0.subscribe().wait_for(|stopped| *stopped).await;
    }
}

impl Default for Stop {
    fn default() -> Self {
        Stop::new()
    }
}
