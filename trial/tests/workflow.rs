//! The workflow for hosted CI that the documents offer.
use clap::{Args, Command, FromArgMatches};
use trial::Options;
use yaml_rust2::{Yaml, YamlLoader};

#[test]
fn the_workflow_is_yaml_and_its_command_is_one_of_ours() {
    let text = include_str!("../../docs/examples/atari-tests.yml");
    let documents = YamlLoader::load_from_str(text).unwrap();
    let [workflow] = &documents[..] else {
        panic!("{} documents", documents.len());
    };
    let job = &workflow["jobs"]["test"];
    assert!(job["runs-on"].as_str().is_some());
    let steps = job["steps"].as_vec().unwrap();
    for step in steps {
        assert!(
            step["uses"].as_str().is_some() != step["run"].as_str().is_some(),
            "{step:?}"
        );
    }
    let run = |step: &Yaml| step["run"].as_str().map(str::to_owned);
    let command = steps
        .iter()
        .filter_map(run)
        .find(|run| run.contains("anticlock test"))
        .unwrap();
    let words = command.split_whitespace().skip(1);
    let matches = Options::augment_args(Command::new("test"))
        .try_get_matches_from(words)
        .unwrap();
    let options = Options::from_arg_matches(&matches).unwrap();
    assert!(options.junit.is_some() && options.html.is_some() && options.lcov.is_some());
    // The kept results are those that the command writes.
    let kept = steps
        .iter()
        .find_map(|step| {
            step["with"]["path"]
                .as_str()
                .filter(|path| path.contains("lcov"))
        })
        .unwrap();
    for file in [options.junit, options.html, options.lcov]
        .into_iter()
        .flatten()
    {
        assert!(kept.contains(file.to_str().unwrap()), "{kept}");
    }
}
