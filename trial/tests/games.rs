//! The tests of our own games, `tests/games`: we are the runner's first users.
use std::path::Path;
use trial::{Options, results_text, run_all};

#[test]
fn our_games_pass_their_tests() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/games");
    let options = Options {
        paths: vec![folder],
        ..Options::default()
    };
    let summary = run_all(&options).unwrap();
    assert_eq!(summary.failed(), 0, "{}", results_text(&summary.results));
    assert_eq!(summary.results.len(), 14);
}
