//! Desks: pages beside the tables that have a record and a view for each role. One desk is handled by one task at a time:
//! do, append and sync, acknowledge, publish.

use crate::app::App;
use crate::auth::Pass;
use crate::error::ApiError;
use crate::hooks::Desk;
use crate::open;
use crate::room::now;
use crate::wire::{DeskState, Links, NewDesk};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError};
use std::time::Instant;
use tokio::sync::{Mutex, MutexGuard, watch};

/// What the kind of a desk begins with in the store.
pub(crate) const DESK: &str = "desk:";

/// A desk in use.
pub(crate) struct Office {
    pub id: String,
    inner: Mutex<Inner>,
    /// Goes up at every change.
    pub tick: watch::Sender<u64>,
}

#[derive(Default)]
struct Inner {
    /// `None`: to be set up from its record.
    desk: Option<Box<dyn Desk>>,
    kind: String,
    version: u64,
    beside: String,
    over: bool,
}

/// All desks in use.
#[derive(Default)]
pub(crate) struct Offices(std::sync::Mutex<BTreeMap<String, (Arc<Office>, Instant)>>);

impl Offices {
    /// One that nobody has looked at for a while is set up anew from its record when it is asked for.
    pub(crate) fn sweep(&self, idle: std::time::Duration) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|_, (office, used)| office.tick.receiver_count() > 0 || used.elapsed() < idle);
    }

    fn of(&self, id: &str) -> Arc<Office> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (office, used) = all.entry(id.to_owned()).or_insert_with(|| {
            let office = Office { id: id.to_owned(), inner: Mutex::default(), tick: watch::Sender::new(0) };
            (Arc::new(office), Instant::now())
        });
        *used = Instant::now();
        office.clone()
    }
}

/// A new desk, and its links.
///
/// # Errors
/// Everything wrong with what was asked for.
pub(crate) async fn new(app: &Arc<App>, wish: NewDesk) -> Result<Links, ApiError> {
    let makers = app.hooks.desks.clone().ok_or_else(ApiError::not_found)?;
    if app.store.count().await? >= app.config.most_games {
        return Err(ApiError::broken("this server keeps as many games as it may; ask its operator"));
    }
    let seed = match wish.seed {
        Some(seed) => seed,
        None => u64::from_be_bytes(crate::auth::bytes::<8>()?),
    };
    let kind = wish.kind.clone();
    let made = tokio::task::spawn_blocking(move || makers.open(&wish.kind, &wish.wish, seed)).await;
    let made = made.map_err(|_| ApiError::bad("this cannot be opened"))?;
    let mut desk = made
        .ok_or_else(|| ApiError::bad(format!("there is no page called {kind}")))?
        .map_err(|p| ApiError::problems(&p))?;
    let mut lines = desk.unwritten();
    if lines.is_empty() {
        return Err(ApiError::bad("this cannot be opened"));
    }
    let header = lines.remove(0);
    let id = crate::auth::id()?;
    let about = about(desk.as_ref()).to_string();
    let kept = store::NewGame {
        id: id.clone(),
        kind: format!("{DESK}{kind}"),
        header,
        key: Some(seed.to_string()),
        about,
        now: now(),
    };
    app.store.create(kept).await?;
    if !lines.is_empty() {
        app.store.append(&id, 0, lines, false, now()).await?;
    }
    let mut links = BTreeMap::new();
    for role in desk.roles() {
        links.insert(role.clone(), new_link(app, &id, &role).await?);
    }
    tracing::info!(desk = %id, kind, "opened");
    Ok(Links { id, links, commitment: None })
}

/// A new secret link to a role of a desk.
pub(crate) async fn new_link(app: &App, id: &str, role: &str) -> Result<String, ApiError> {
    let link = open::new_link(app, id, role).await?;
    // The role stands in the address: whoever holds several sees the page that the link is for.
    let token = link.split_once('#').map_or("", |(_, token)| token);
    Ok(format!("/d/{id}?role={}#{token}", encoded(role)))
}

/// A text as it may stand in a query.
fn encoded(text: &str) -> String {
    let one = |b: u8| {
        if b.is_ascii_alphanumeric() { char::from(b).to_string() } else { format!("%{b:02X}") }
    };
    text.bytes().map(one).collect()
}

/// What lists show of it, and what it keeps beside its record.
fn about(desk: &dyn Desk) -> Value {
    json!({ "title": desk.title(), "waits_for": desk.waits_for(), "beside": desk.beside(), "turned": now() })
}

/// The mark of a view: two that are alike have the same.
fn mark(view: &Value) -> String {
    store::token_hash(&view.to_string()).chars().take(16).collect()
}

/// A desk with its lock held, ready for use.
pub(crate) struct Held<'a> {
    app: &'a Arc<App>,
    office: &'a Office,
    inner: MutexGuard<'a, Inner>,
}

/// The desk of this id, if there is one. Who asks must have shown a link to it.
pub(crate) fn office(app: &App, id: &str) -> Arc<Office> {
    app.desks.of(id)
}

impl Office {
    /// Waits for the desk, and sets it up from its record where it is not in use.
    ///
    /// # Errors
    /// If there is no such desk, or its record does not play.
    pub(crate) async fn hold<'a>(&'a self, app: &'a Arc<App>) -> Result<Held<'a>, ApiError> {
        let mut inner = self.inner.lock().await;
        if inner.desk.is_none() {
            let kept = app.store.game(&self.id).await?;
            let kind = kept.kind.strip_prefix(DESK).ok_or_else(ApiError::not_found)?.to_owned();
            let makers = app.hooks.desks.clone().ok_or_else(ApiError::not_found)?;
            let seed = kept.key.as_deref().and_then(|k| k.parse().ok()).unwrap_or(0);
            let lines = app.store.lines(&self.id, 0).await?;
            let about: Value = serde_json::from_str(&kept.about).unwrap_or_default();
            let (header, named) = (kept.header, kind.clone());
            let beside = about["beside"].clone();
            let found = tokio::task::spawn_blocking(move || {
                let mut text = header + "\n";
                for line in &lines {
                    text.push_str(line);
                    text.push('\n');
                }
                makers.resume(&named, &text, &beside, seed)
            })
            .await;
            let desk =
                found.ok().flatten().ok_or_else(ApiError::not_found)?.map_err(|p| ApiError::problems(&p))?;
            let kept_beside = desk.beside().to_string();
            *inner =
                Inner { beside: kept_beside, kind, version: kept.version, over: kept.over, desk: Some(desk) };
        }
        let mut held = Held { app, office: self, inner };
        held.take_results().await?;
        Ok(held)
    }
}

impl Held<'_> {
    fn desk(&self) -> Result<&dyn Desk, ApiError> {
        self.inner
            .desk
            .as_deref()
            .ok_or_else(|| ApiError::broken("this page is being set up again; try again"))
    }

    /// The role that a request names, or the first that it holds.
    ///
    /// # Errors
    /// A role that it does not hold.
    pub(crate) fn role(&self, pass: &Pass, named: Option<&str>) -> Result<String, ApiError> {
        let roles = self.desk()?.roles();
        match named.filter(|n| !n.is_empty()) {
            Some(name) if pass.holds(name) => Ok(name.to_owned()),
            Some(name) => Err(ApiError::not_yours(format!(
                "{name} is not yours here; you hold: {}",
                pass.roles.join(", ")
            ))),
            None => roles.into_iter().find(|r| pass.holds(r)).ok_or_else(ApiError::not_found),
        }
    }

    /// Whether a role is the one that runs the desk.
    pub(crate) fn runs(&self, role: &str) -> bool {
        self.desk().is_ok_and(|d| d.roles().first().is_some_and(|r| r == role))
    }

    /// The roles of the desk.
    pub(crate) fn roles(&self) -> Vec<String> {
        self.desk().map(Desk::roles).unwrap_or_default()
    }

    /// The desk as a role sees it.
    ///
    /// # Errors
    /// None, as long as the desk is in use.
    pub(crate) fn state(&self, pass: &Pass, role: &str) -> Result<DeskState, ApiError> {
        let desk = self.desk()?;
        let view = desk.view(role);
        let held: Vec<String> = desk.roles().into_iter().filter(|r| pass.holds(r)).collect();
        Ok(DeskState {
            id: self.office.id.clone(),
            kind: self.inner.kind.clone(),
            title: desk.title(),
            role: role.to_owned(),
            roles: held,
            mark: mark(&view),
            over: desk.over(),
            view,
        })
    }

    /// Whether what a role saw is what it would see now.
    ///
    /// # Errors
    /// If not.
    pub(crate) fn expects(&self, role: &str, expected: Option<&str>) -> Result<(), ApiError> {
        let Some(expected) = expected else { return Ok(()) };
        if mark(&self.desk()?.view(role)) == expected {
            return Ok(());
        }
        let words = "this page has moved on since; nothing was done. Look at it and try again";
        Err(ApiError::conflict("overtaken", words))
    }

    /// Does something on a thread of its own and writes what came of it; only then is it told.
    ///
    /// # Errors
    /// What is refused; a store that cannot write, after which the desk is as it was.
    pub(crate) async fn run<T: Send + 'static>(
        &mut self,
        work: impl FnOnce(&mut dyn Desk) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let mut desk = self.inner.desk.take().ok_or_else(|| ApiError::broken("try again"))?;
        // Should it fail in the middle of it, the desk is set up anew from its record.
        let done = tokio::task::spawn_blocking(move || {
            let done = work(desk.as_mut());
            (desk, done)
        })
        .await;
        let Ok((desk, done)) = done else {
            tracing::error!(desk = %self.office.id, "a command ended in a panic");
            return Err(ApiError::broken(
                "the program failed at this; nothing was done. Please report it with the record",
            ));
        };
        self.inner.desk = Some(desk);
        let written = self.write().await;
        if written.is_err() {
            self.inner.desk = None;
        }
        written?;
        done
    }

    async fn write(&mut self) -> Result<(), ApiError> {
        let Some(desk) = self.inner.desk.as_mut() else { return Ok(()) };
        let lines = desk.unwritten();
        let (beside, over) = (desk.beside().to_string(), desk.over());
        let about = about(desk.as_ref()).to_string();
        let store = &self.app.store;
        if !lines.is_empty() || over != self.inner.over {
            let version = self.inner.version;
            self.inner.version =
                store.append_with(&self.office.id, version, lines, over, Some(about), now()).await?;
        } else if beside != self.inner.beside {
            store.set_about(&self.office.id, &about).await?;
        }
        self.inner.beside = beside;
        self.inner.over = over;
        self.office.tick.send_modify(|n| *n += 1);
        Ok(())
    }

    /// A question, answered on the thread that asks: the desk does not change.
    ///
    /// # Errors
    /// What does not read.
    pub(crate) async fn ask(&mut self, role: String, wish: Value) -> Result<Value, ApiError> {
        let desk = self.inner.desk.take().ok_or_else(|| ApiError::broken("try again"))?;
        let done = tokio::task::spawn_blocking(move || {
            let answer = desk.ask(&role, &wish);
            (desk, answer)
        })
        .await;
        let (desk, answer) = done.map_err(|_| ApiError::broken("the program failed at this question"))?;
        self.inner.desk = Some(desk);
        answer.map_err(|p| ApiError::problems(&p))
    }

    /// A file that a role may have.
    pub(crate) fn file(&self, role: &str, name: &str) -> Option<crate::hooks::DeskFile> {
        self.desk().ok()?.file(role, name)
    }

    /// Results of battles that were fought at tables.
    async fn take_results(&mut self) -> Result<(), ApiError> {
        for (name, id) in self.desk()?.awaited() {
            let Ok(kept) = self.app.store.game(&id).await else { continue };
            if !kept.over {
                continue;
            }
            let mut text = kept.header + "\n";
            for line in self.app.store.lines(&id, 0).await? {
                text.push_str(&line);
                text.push('\n');
            }
            self.run(move |desk| desk.returned(&name, &text).map_err(|p| ApiError::problems(&p))).await?;
        }
        Ok(())
    }

    /// Opens the table of a battle, or finds it; the links that are this role's.
    ///
    /// # Errors
    /// If there is no such battle, or it is not this role's.
    pub(crate) async fn battle(&mut self, role: &str, name: &str) -> Result<Links, ApiError> {
        let battle = self.desk()?.battle(role, name).map_err(|p| ApiError::problems(&p))?;
        let runs = self.runs(role);
        let id = match battle.id {
            Some(id) => id,
            None => {
                let made = open::new_with(self.app, battle.table, Some(battle.key)).await?;
                let (name, id) = (name.to_owned(), made.id.clone());
                self.run(move |desk| {
                    desk.opened(&name, &id);
                    Ok(())
                })
                .await?;
                made.id
            }
        };
        let mut links = BTreeMap::new();
        for (whose, seat) in battle.seats {
            if whose == role || runs {
                links.insert(seat.clone(), open::new_link(self.app, &id, &seat).await?);
            }
        }
        let more: &[&str] = if runs { &[crate::auth::HOST, crate::auth::SPECTATOR] } else { &[] };
        for seat in more {
            links.insert((*seat).to_owned(), open::new_link(self.app, &id, seat).await?);
        }
        Ok(Links { id, links, commitment: None })
    }
}
