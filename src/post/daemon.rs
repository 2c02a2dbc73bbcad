//! The daemon: sources, timers and outbox side by side, each in a thread of its own, on one office.

use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

use sd_notify::NotifyState;
use tokio::signal::unix::{SignalKind, signal};

use super::{
    Envelope, Fate, ImapMark, ImapMemory, ImapSource, Incoming, LmtpListener, MaildirSource, Office, PostError, Sink,
    Stop, Take, TakeError, emergency, open_sink, run_outbox,
};
use crate::config::{Config, Source};

/// How often the timers run and the service manager hears that we live.
const TICK: Duration = Duration::from_secs(30);
/// How long the outbox waits to be told of a mail; other processes put mails into it without a word.
const OUTBOX_POLL: Duration = Duration::from_secs(5);
/// How often a Maildir is looked into without a hint that something came.
const MAILDIR_POLL: Duration = Duration::from_secs(30);

/// Serves until SIGTERM or SIGINT, or `stop`, and ends after the mail in hand.
///
/// # Errors
///
/// What makes it impossible to begin: a source or the sink that cannot be opened. What fails later is logged and tried again.
pub fn serve(config: &Config, office: &Office, stop: &Stop) -> Result<(), PostError> {
    let parts = Parts::open(config)?;
    let mut sink = open_sink(&config.sink)?;
    let (wake, woken) = sync_channel(1);
    let desk = Desk { office, wake };
    thread::scope(|scope| {
        // A thread that panics takes the others down with it, in order, and the service manager starts us again.
        let run = |work: &dyn Fn()| {
            let _end = StopOnPanic(stop);
            work();
        };
        scope.spawn(move || run(&|| listen_for_signals(stop)));
        for maildir in &parts.maildirs {
            let desk = &desk;
            scope.spawn(move || run(&|| serve_maildir(maildir, desk, stop)));
        }
        for mailbox in &parts.mailboxes {
            let desk = &desk;
            scope.spawn(move || run(&|| report("IMAP source", mailbox.serve(desk, desk, stop))));
        }
        for listener in &parts.listeners {
            let desk = &desk;
            scope.spawn(move || run(&|| report("LMTP listener", listener.serve(desk, stop))));
        }
        let ticking = &desk;
        scope.spawn(move || run(&|| tick(config, ticking, stop)));
        tell_manager(NotifyState::Ready);
        {
            let _end = StopOnPanic(stop);
            send(config, office, sink.as_mut(), &woken, stop);
        }
        tell_manager(NotifyState::Stopping);
    });
    Ok(())
}

/// The sources, opened: what cannot be opened is told before anything begins.
struct Parts {
    maildirs: Vec<MaildirSource>,
    mailboxes: Vec<ImapSource>,
    listeners: Vec<LmtpListener>,
}

impl Parts {
    fn open(config: &Config) -> Result<Self, PostError> {
        let max_bytes = config.limits.max_mail_bytes;
        let mut parts = Parts {
            maildirs: Vec::new(),
            mailboxes: Vec::new(),
            listeners: Vec::new(),
        };
        for source in &config.sources {
            match source {
                Source::Maildir(place) => parts.maildirs.push(MaildirSource::open(&place.path, max_bytes)?),
                Source::Imap(settings) => parts.mailboxes.push(ImapSource::new(settings, max_bytes)),
                Source::Lmtp(settings) => parts.listeners.push(LmtpListener::bind(&settings.listen, max_bytes)?),
            }
        }
        Ok(parts)
    }
}

/// The office, with a word to the outbox after each mail.
struct Desk<'a> {
    office: &'a Office,
    wake: SyncSender<()>,
}

impl Desk<'_> {
    fn wake_outbox(&self) {
        // A full channel has woken it already.
        let _ = self.wake.try_send(());
    }
}

impl Take for Desk<'_> {
    fn take(&self, raw: &[u8], envelope: &Envelope) -> Result<Fate, TakeError> {
        let fate = self.office.take(raw, envelope);
        self.wake_outbox();
        fate
    }

    fn take_all(&self, mails: &[Incoming]) -> Vec<Result<Fate, TakeError>> {
        let fates = self.office.take_all(mails);
        self.wake_outbox();
        fates
    }
}

impl ImapMemory for Desk<'_> {
    fn recall(&self, mailbox: &str) -> Result<Option<ImapMark>, TakeError> {
        self.office.recall(mailbox)
    }

    fn note(&self, mailbox: &str, mark: ImapMark) -> Result<(), TakeError> {
        self.office.note(mailbox, mark)
    }
}

struct StopOnPanic<'a>(&'a Stop);

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.stop();
        }
    }
}

fn listen_for_signals(stop: &Stop) {
    let listening = block_on(async {
        let (mut terminate, mut interrupt) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
            () = stop.stopped() => {}
        }
        stop.stop();
        Ok(())
    });
    report("signals", listening);
}

fn serve_maildir(maildir: &MaildirSource, desk: &Desk, stop: &Stop) {
    let changed = tokio::sync::Notify::new();
    let changed = std::sync::Arc::new(changed);
    let told = std::sync::Arc::clone(&changed);
    // Where the system cannot tell us, we look by ourselves.
    let watch = maildir.watch(move || told.notify_one());
    if let Err(error) = &watch {
        tracing::warn!(%error, "new mail in the Maildir is noticed late");
    }
    let served = block_on(async {
        while !stop.is_stopped() {
            report("Maildir source", maildir.drain(desk, stop));
            tokio::select! {
                () = changed.notified() => {}
                () = tokio::time::sleep(MAILDIR_POLL) => {}
                () = stop.stopped() => {}
            }
        }
        Ok(())
    });
    report("Maildir source", served);
}

/// The timers, and whatever else is looked after now and then.
fn tick(config: &Config, desk: &Desk, stop: &Stop) {
    let ticked = block_on(async {
        while !stop.is_stopped() {
            let max_bytes = config.limits.max_mail_bytes;
            let emergency = emergency::drain(&config.emergency_dir(), max_bytes, desk, stop);
            report("emergency Maildir", emergency);
            report("timers", desk.office.tick());
            desk.wake_outbox();
            tell_manager(NotifyState::Watchdog);
            tokio::select! {
                () = tokio::time::sleep(TICK) => {}
                () = stop.stopped() => {}
            }
        }
        Ok(())
    });
    report("timers", ticked);
    // The outbox waits for a word, and this is the last one.
    desk.wake_outbox();
}

fn send(config: &Config, office: &Office, sink: &mut dyn Sink, woken: &Receiver<()>, stop: &Stop) {
    let is_stopped = || stop.is_stopped();
    while !stop.is_stopped() {
        let run = run_outbox(office, sink, office.now(), config.limits.mails_per_hour, &is_stopped);
        report("outbox", run);
        if woken.recv_timeout(OUTBOX_POLL) == Err(RecvTimeoutError::Disconnected) {
            break;
        }
    }
}

/// Whoever started us, if it wants to know.
fn tell_manager(state: NotifyState) {
    if let Err(error) = sd_notify::notify(&[state]) {
        tracing::debug!(%error, "no service manager to tell");
    }
}

/// One line in the log for what failed; it is tried again by itself.
fn report<T>(part: &str, outcome: Result<T, impl std::fmt::Display>) {
    if let Err(error) = outcome {
        tracing::error!(%error, "{part}");
    }
}

fn block_on(work: impl Future<Output = std::io::Result<()>>) -> std::io::Result<()> {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?
        .block_on(work)
}
