//! The runner: files, builds, reports, scripts.
mod common;

use common::{Place, read, sentences};
use trial::{Options, run, run_all};

#[test]
fn a_script_is_a_test_when_it_names_its_program() {
    let place = Place::basic("10 PRINT \"HELLO\"\n20 GOTO 20\n");
    let script = |text: &str| std::fs::write(place.path("play.txt"), text).unwrap();
    script("# program: main.lst\n200 wait-text HELLO\n");
    let results = place.run().results;
    assert_eq!((results.len(), sentences(&results)), (1, Vec::new()));
    script("# program: main.lst\n400 expect-text GOODBYE\n");
    let problems = sentences(&place.run().results);
    assert!(
        problems[0]
            .contains("line 2 of the script: at frame 400 the screen does not show: GOODBYE"),
        "{problems:?}"
    );
    script("200 wait-text HELLO\n");
    let error = run_all(&place.options()).unwrap_err().to_string();
    assert!(error.contains("there is no test in this folder"), "{error}");
    let named = Options {
        paths: vec![place.path("play.txt")],
        ..Options::default()
    };
    let error = run_all(&named).unwrap_err().to_string();
    assert!(
        error.ends_with(
            "play.txt: the script names no program: write \"# program: NAME\" in its first line"
        ),
        "{error}"
    );
    // In a TOML file it is one of the steps.
    place.passes("script = \"play.txt\"\nsteps = [{ text = \"HELLO\" }]");
}

#[test]
fn a_program_is_built_by_the_command_in_the_file() {
    let place = Place::basic("");
    std::fs::write(place.path("source.txt"), "10 PRINT \"BUILT\"\n20 GOTO 20\n").unwrap();
    let test = "steps = [{ wait-text = \"BUILT\" }]";
    place.test("build = \"cp source.txt main.lst\"", test);
    assert_eq!(place.run().failed(), 0);
    place.test("build = \"echo line 3 is wrong >&2; exit 4\"", test);
    let results = place.run().results;
    assert!(sentences(&results)[0].contains("the build ended with status 4: echo"));
    assert_eq!(results[0].problems[0].details, "line 3 is wrong");
}

#[test]
fn results_are_written_for_servers_and_people() {
    let place = Place::basic("10 PRINT \"<&>\"\n20 GOTO 20\n");
    place.test("", "steps = [{ wait-text = \"<&>\" }]");
    let other = read(&place.path("test.toml"))
        .replace("<&>", "]]>")
        .replace("\"test\"", "\"other <test>\"");
    std::fs::write(place.path("b.test.toml"), other + "frames = 300\n").unwrap();
    let options = Options {
        junit: Some(place.path("out.xml")),
        html: Some(place.path("out.html")),
        ..place.options()
    };
    let mut out = Vec::new();
    let error = run(&options, &mut out).unwrap_err();
    assert_eq!(
        (error.status(), error.to_string()),
        (1, "1 of 2 tests failed".into())
    );
    let text = String::from_utf8(out).unwrap();
    assert!(
        text.contains("ok    ")
            && text.contains("FAIL  ")
            && text.ends_with("1 passed, 1 failed\n"),
        "{text}"
    );
    let xml = read(&place.path("out.xml"));
    assert_eq!(xml.matches("<testsuite ").count(), 2, "{xml}");
    assert!(
        xml.contains("name=\"other &lt;test&gt;\"")
            && xml.contains("failures=\"1\"")
            && xml.contains("tests=\"1\""),
        "{xml}"
    );
    assert!(
        xml.contains(
            "<failure message=\"the screen never showed &quot;]]&gt;&quot; in 300 frames\">"
        ),
        "{xml}"
    );
    let page = read(&place.path("out.html"));
    assert_eq!(page.matches("src=\"data:image/png;base64,").count(), 2);
    assert!(page.contains("<h1>1 passed, 1 failed</h1>"));
}

#[test]
fn tests_leave_disks_and_folders_as_they_are() {
    let place = Place::basic(
        "10 OPEN #1,8,0,\"H:A.TXT\":PRINT #1;\"NEW\":CLOSE #1\n20 OPEN #1,8,0,\"D:B.TXT\":PRINT #1;\"NEW\":CLOSE #1\n30 PRINT \"DONE\"\n40 GOTO 40\n",
    );
    std::fs::create_dir(place.path("files")).unwrap();
    std::fs::write(place.path("files/A.TXT"), "OLD").unwrap();
    let head = "options = [\"--host\", \"files\"]\n[matrix]\nseed = [1, 2, 3, 4]";
    place.test(head, "steps = [{ wait-text = \"DONE\", within = 900 }]");
    let results = place.run().results;
    assert_eq!((results.len(), sentences(&results)), (4, Vec::new()));
    assert_eq!(read(&place.path("files/A.TXT")), "OLD");
    assert!(!place.path("files/B.TXT").exists());
}

#[test]
fn coverage_goes_by_the_listing_beside_the_program() {
    // A listing as MADS writes it, for the code that is assembled here.
    let place = Place::assembled("start: lda #1\nloop: jmp loop\nnever: lda #2");
    let listing = "mads 2.1.8\nSource: main.asm\n     1 \t\t\t\torg $2000\n     2 2000 A9 01\t\tstart\tlda #1\n     3 2002 4C 02 20\t\tloop\tjmp loop\n     4 2005 A9 02\t\tnever\tlda #2\n";
    std::fs::write(place.path("main.lst"), listing).unwrap();
    std::fs::write(place.path("main.asm"), "\n\n\n\n").unwrap();
    std::fs::write(
        place.path("test.toml"),
        "program = \"main.xex\"\n[[test]]\nname = \"x\"\nsteps = [{ wait = 200 }]\n",
    )
    .unwrap();
    let options = Options {
        lcov: Some(place.path("lcov.info")),
        ..place.options()
    };
    run(&options, &mut Vec::new()).unwrap();
    let text = read(&place.path("lcov.info"));
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "TN:");
    assert!(
        lines[1].starts_with("SF:") && lines[1].ends_with("main.asm"),
        "{text}"
    );
    assert_eq!(lines[2], "DA:2,1");
    let count: u64 = lines[3].strip_prefix("DA:3,").unwrap().parse().unwrap();
    assert!(count > 1000, "{text}");
    assert_eq!(lines[4..], ["DA:4,0", "LF:3", "LH:2", "end_of_record"]);
}

#[test]
fn what_cannot_be_used_ends_with_status_2() {
    let place = Place::basic("10 GOTO 10\n");
    let status = |test: &str| {
        place.test("", test);
        let error = run(&place.options(), &mut Vec::new()).unwrap_err();
        (error.status(), error.to_string())
    };
    assert_eq!(status("steps = [{ wai = 1 }]").0, 2);
    let (number, sentence) =
        status("cycles = [{ from = \"nowhere\", to = \"end\", most = 1 }]\nsteps = [{ wait = 1 }]");
    assert_eq!(number, 2);
    assert!(
        sentence.ends_with("test.toml: line 5: nowhere: there is no \"nowhere\""),
        "{sentence}"
    );
    std::fs::remove_file(place.path("main.lst")).unwrap();
    std::fs::write(
        place.path("test.toml"),
        "program = \"none.xex\"\n[[test]]\nname = \"x\"\nsteps = [{ wait = 1 }]\n",
    )
    .unwrap();
    let error = run(&place.options(), &mut Vec::new()).unwrap_err();
    assert!(
        error
            .to_string()
            .ends_with("none.xex: there is no such file"),
        "{error}"
    );
    let only = Options {
        only: Some("nothing".into()),
        ..place.options()
    };
    let error = run(&only, &mut Vec::new()).unwrap_err();
    assert_eq!(
        (error.status(), error.to_string()),
        (2, "no test has \"nothing\" in its name".into())
    );
}
