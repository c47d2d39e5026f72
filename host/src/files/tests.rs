use super::*;

/// A folder that goes away with the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("anticlock-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn count(&self) -> usize {
        fs::read_dir(&self.0).unwrap().count()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_device_without_an_end_is_too_large() {
    let error = read(Path::new("/dev/zero")).unwrap_err();
    assert!(error.to_string().contains("too large"), "{error}");
}

#[test]
fn a_file_is_replaced_whole_and_nothing_stays() {
    let folder = Folder::new("files");
    let path = folder.0.join("x.bin");
    write(&path, b"one").unwrap();
    write(&path, b"two").unwrap();
    assert_eq!(read(&path).unwrap(), b"two");
    assert_eq!(folder.count(), 1);
    let missing = read(&folder.0.join("none")).unwrap_err();
    assert!(missing.to_string().ends_with("there is no such file"));
    assert_eq!(missing.status(), 2);
    assert!(write(&folder.0.join("no/such/folder"), b"").is_err());
    let folder = read(&folder.0).unwrap_err().to_string();
    assert!(folder.contains("is a folder"));
}

#[test]
fn a_name_of_252_bytes_is_written() {
    let folder = Folder::new("long");
    let path = folder.0.join("n".repeat(252));
    write(&path, b"one").unwrap();
    write(&path, b"two").unwrap();
    assert_eq!((read(&path).unwrap(), folder.count()), (b"two".to_vec(), 1));
}

#[test]
#[cfg(unix)]
fn links_owner_and_mode_stay() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
    let folder = Folder::new("links");
    let [file, link, dangling, hard] =
        ["file", "link", "dangling", "hard"].map(|name| folder.0.join(name));
    fs::write(&file, "one").unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
    symlink("file", &link).unwrap();
    symlink("new", &dangling).unwrap();
    write(&link, b"two").unwrap();
    write(&dangling, b"three").unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert!(fs::symlink_metadata(&dangling).unwrap().is_symlink());
    assert_eq!(fs::read(&file).unwrap(), b"two");
    assert_eq!(fs::read(folder.0.join("new")).unwrap(), b"three");
    let about = fs::metadata(&file).unwrap();
    assert_eq!(about.mode() & 0o777, 0o600);

    fs::hard_link(&file, &hard).unwrap();
    write(&file, b"longer than before").unwrap();
    assert_eq!(fs::read(&hard).unwrap(), b"longer than before");
    write(&hard, b"short").unwrap();
    assert_eq!(fs::read(&file).unwrap(), b"short");
    assert_eq!(fs::metadata(&file).unwrap().ino(), about.ino());
    // A new file has the permissions that the user's mask allows, not only the owner's.
    let mask = fs::metadata(folder.0.join("new")).unwrap().mode();
    fs::write(folder.0.join("usual"), "").unwrap();
    assert_eq!(mask, fs::metadata(folder.0.join("usual")).unwrap().mode());
}

#[test]
#[cfg(target_os = "linux")]
fn extended_attributes_stay() {
    use rustix::fs::{XattrFlags, getxattr, setxattr};
    let folder = Folder::new("attributes");
    let [file, grown] = ["file", "grown"].map(|name| folder.0.join(name));
    for path in [&file, &grown] {
        fs::write(path, "one").unwrap();
        let flags = XattrFlags::empty();
        if setxattr(path, c"user.comment", b"my disk", flags).is_err() {
            eprintln!("not tried: the folder for temporary files has no extended attributes");
            return;
        }
    }
    write(&file, b"two").unwrap();
    let mut growing = Growing::named(&grown).unwrap();
    growing.write_all(b"two").unwrap();
    growing.finish().unwrap();
    for path in [&file, &grown] {
        let mut value = [0; 20];
        let length = getxattr(path, c"user.comment", &mut value).unwrap();
        assert_eq!(&value[..length], b"my disk");
        assert_eq!(fs::read(path).unwrap(), b"two");
    }
}

#[test]
#[cfg(unix)]
fn a_file_that_may_not_be_written_is_not_replaced() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new("readonly-file");
    let path = folder.0.join("x");
    fs::write(&path, "one").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
    assert!(write(&path, b"two").is_err());
    assert!(Growing::named(&path).is_err());
    assert_eq!(fs::read(&path).unwrap(), b"one");
    assert_eq!(folder.count(), 1);
}

#[test]
fn what_a_killed_process_left_goes_after_a_day() {
    let folder = Folder::new("left-over");
    let old = folder.0.join(".anticlock-abc.tmp");
    let young = folder.0.join(".anticlock-def.tmp");
    for path in [&old, &young] {
        fs::write(path, "").unwrap();
    }
    let time = std::time::SystemTime::now() - 2 * LEFT_OVER;
    File::options()
        .write(true)
        .open(&old)
        .unwrap()
        .set_modified(time)
        .unwrap();
    write(&folder.0.join("x"), b"").unwrap();
    assert!(!old.exists() && young.exists());
}

#[test]
fn a_growing_file_has_its_name_at_the_end_and_takes_no_name_that_is_taken() {
    let folder = Folder::new("growing");
    fs::write(folder.0.join("x-001.wav"), "mine").unwrap();
    let mut first = Growing::free(&folder.0, "x", "wav").unwrap();
    let mut second = Growing::free(&folder.0, "x", "wav").unwrap();
    first.write_all(b"first").unwrap();
    second.write_all(b"second").unwrap();
    assert_eq!(fs::read(folder.0.join("x-002.wav")).unwrap(), b"");
    assert_eq!(first.finish().unwrap(), folder.0.join("x-002.wav"));
    assert_eq!(fs::read(folder.0.join("x-002.wav")).unwrap(), b"first");
    drop(second);
    assert_eq!(folder.count(), 2);
}

#[test]
fn paths_are_as_the_user_writes_them() {
    for (path, written) in [
        (r"\\?\C:\Games\a.atr", r"C:\Games\a.atr"),
        (r"\\?\UNC\server\share\a.atr", r"\\server\share\a.atr"),
        (r"\\?\Volume{b75e2c83}\a.atr", r"\\?\Volume{b75e2c83}\a.atr"),
        (r"\\server\share", r"\\server\share"),
        ("/tmp/a.atr", "/tmp/a.atr"),
    ] {
        assert_eq!(as_written(path.into()), Path::new(written));
    }
}
