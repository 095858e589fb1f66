//! Records of earlier releases replay and verify: an option that they lack means what was done before there was one.

use game::record::Record;
use heroes::Heroes;

#[test]
fn records_of_earlier_releases_verify() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures");
    let mut seen = 0;
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let name = entry.file_name().into_string().unwrap();
        if name.starts_with("heroes-") {
            let record = Record::parse(&std::fs::read_to_string(entry.path()).unwrap()).unwrap();
            assert!(game::verify::<Heroes>(&record).good(), "{name}");
            seen += 1;
        }
    }
    assert!(seen > 0, "there is at least one");
}
