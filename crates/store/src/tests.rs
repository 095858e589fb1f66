use super::*;

fn game(id: &str) -> NewGame {
    NewGame {
        id: id.into(),
        kind: "hott".into(),
        header: "{}".into(),
        key: Some("secret".into()),
        about: "{}".into(),
        now: 1,
    }
}

async fn fresh() -> (tempfile::TempDir, Store) {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(&dir.path().join("games.db")).await.unwrap();
    (dir, store)
}

#[tokio::test]
async fn what_is_acknowledged_is_there_after_reopening() {
    let (dir, store) = fresh().await;
    store.create(game("g")).await.unwrap();
    assert_eq!(store.append("g", 0, vec!["one".into(), "two".into()], false, 2).await.unwrap(), 2);
    drop(store); // no orderly close
    let store = Store::open(&dir.path().join("games.db")).await.unwrap();
    assert_eq!(store.lines("g", 0).await.unwrap(), ["one", "two"]);
    assert_eq!(store.lines("g", 1).await.unwrap(), ["two"]);
    let kept = store.game("g").await.unwrap();
    assert_eq!(store.times("g").await.unwrap(), [2, 2]);
    assert_eq!((kept.version, kept.touched, kept.over), (2, 2, false));
}

#[tokio::test]
async fn two_tabs_cannot_both_move() {
    let (_dir, store) = fresh().await;
    store.create(game("g")).await.unwrap();
    let (a, b) = tokio::join!(
        store.append("g", 0, vec!["a".into()], false, 2),
        store.append("g", 0, vec!["b".into()], false, 2),
    );
    assert!(a.is_ok() != b.is_ok(), "{a:?} {b:?}");
    let refused = if a.is_err() { a } else { b };
    assert!(matches!(refused, Err(StoreError::Conflict { version: 1 })), "{refused:?}");
    assert_eq!(store.lines("g", 0).await.unwrap().len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_games_at_once_keep_their_lines_in_order() {
    let (_dir, store) = fresh().await;
    for n in 0..50 {
        store.create(game(&format!("g{n}"))).await.unwrap();
    }
    let all = (0..50).map(|n| {
        let store = store.clone();
        tokio::spawn(async move {
            for i in 0..20_u64 {
                store.append(&format!("g{n}"), i, vec![format!("{i}")], i == 19, 2).await.unwrap();
            }
        })
    });
    for task in all.collect::<Vec<_>>() {
        task.await.unwrap();
    }
    for n in 0..50 {
        let lines = store.lines(&format!("g{n}"), 0).await.unwrap();
        assert_eq!(lines, (0..20).map(|i| i.to_string()).collect::<Vec<_>>());
        assert!(store.game(&format!("g{n}")).await.unwrap().over);
    }
}

#[tokio::test]
async fn links_open_their_role_alone_and_no_token_is_kept() {
    let (dir, store) = fresh().await;
    store.create(game("g")).await.unwrap();
    store.add_link("a very secret token", "g", "A", 1).await.unwrap();
    let link = store.open_link("a very secret token").await.unwrap();
    assert_eq!(link, Some(Link { game: "g".into(), role: "A".into() }));
    assert_eq!(store.open_link("another").await.unwrap(), None);
    assert_eq!(store.end_links("g", "A", 2).await.unwrap(), 1);
    assert_eq!(store.open_link("a very secret token").await.unwrap(), None);
    store.close().await;
    for entry in std::fs::read_dir(dir.path()).unwrap() {
        let bytes = std::fs::read(entry.unwrap().path()).unwrap();
        assert!(!bytes.windows(19).any(|w| w == b"a very secret token"));
    }
}

#[tokio::test]
async fn errors_say_what_is_wrong() {
    let (_dir, store) = fresh().await;
    assert!(matches!(store.game("x").await, Err(StoreError::NoGame)));
    assert!(matches!(store.append("x", 0, vec!["a".into()], false, 1).await, Err(StoreError::NoGame)));
    store.create(game("g")).await.unwrap();
    assert!(matches!(store.create(game("g")).await, Err(StoreError::Exists)));
    assert_eq!(store.lines("x", 0).await.unwrap().len(), 0);
    store.close().await;
    assert!(matches!(store.append("g", 0, vec!["a".into()], false, 1).await, Err(StoreError::Closed)));
}

#[tokio::test]
async fn notes_and_talk() {
    let (_dir, store) = fresh().await;
    store.create(game("g")).await.unwrap();
    store.set_note("g", "A", "draft", "one").await.unwrap();
    store.set_note("g", "A", "draft", "two").await.unwrap();
    assert_eq!(store.note("g", "A", "draft").await.unwrap().as_deref(), Some("two"));
    assert_eq!(store.note("g", "B", "draft").await.unwrap(), None);
    assert_eq!(store.say("g", "A", "table", "hello", 5).await.unwrap(), 1);
    assert_eq!(store.say("g", "B", "table", "hi", 6).await.unwrap(), 2);
    assert_eq!(store.talk("g", 1).await.unwrap(), [(2, "B".into(), "table".into(), "hi".into(), 6)]);
    assert_eq!(store.latest(10).await.unwrap().len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_write_that_fails_takes_no_other_with_it_and_leaves_nothing_half_done() {
    let (_dir, store) = fresh().await;
    store.create(game("g")).await.unwrap();
    // A link to no game breaks a constraint of the database; whatever is committed with it must stand all the same.
    let bad = (0..20).map(|n| {
        let store = store.clone();
        tokio::spawn(async move { store.add_link(&format!("token {n}"), "nowhere", "A", 1).await.is_err() })
    });
    let good = (0..20).map(|n| {
        let store = store.clone();
        tokio::spawn(async move { store.say("g", "A", "table", &format!("word {n}"), 1).await.is_ok() })
    });
    for task in bad.chain(good).collect::<Vec<_>>() {
        assert!(task.await.unwrap());
    }
    assert_eq!(store.talk("g", 0).await.unwrap().len(), 20);
    assert_eq!(store.append_with("g", 0, vec!["one".into()], false, Some("{1}".into()), 2).await.unwrap(), 1);
    assert_eq!(store.game("g").await.unwrap().about, "{1}");
    // Neither line nor what stands beside it where the version has passed.
    let late = store.append_with("g", 0, vec!["two".into()], false, Some("{2}".into()), 2).await;
    assert!(matches!(late, Err(StoreError::Conflict { version: 1 })), "{late:?}");
    assert_eq!(store.game("g").await.unwrap().about, "{1}");
    assert!(matches!(store.set_header("g", "h", "{3}").await, Err(StoreError::NoGame)), "play has begun");
    assert_eq!(store.game("g").await.unwrap().about, "{1}");
}
