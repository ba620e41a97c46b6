//! The list made here is the list that the workload's own module makes.

use serde::Deserialize;
use serde_json::Value;
use todo_page::data::make_todos;

#[derive(Deserialize)]
struct List {
    timestamp: String,
    todos: Value,
}

#[test]
fn todos_equal_the_golden_vectors() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../../todo/contract/golden-todos.json");
    let text = std::fs::read_to_string(file).expect("golden vectors");
    let golden: Vec<List> = serde_json::from_str(&text).expect("golden vectors");
    assert!(!golden.is_empty());
    for List { timestamp, todos } in golden {
        let made = serde_json::to_value(make_todos(&timestamp)).expect("JSON");
        assert_eq!(made, todos, "at {timestamp}");
    }
}
