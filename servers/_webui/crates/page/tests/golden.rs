//! The list made here is the list that the workload's own module makes.

use serde::Deserialize;
use serde_json::Value;
use todo_page::data::make_todos;

#[derive(Deserialize)]
struct Vector {
    timestamp: String,
    todos: Value,
}

#[test]
fn todos_equal_the_golden_vectors() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../../todo/contract/golden-todos.json");
    let text = std::fs::read_to_string(file).expect("golden vectors");
    let vectors: Vec<Vector> = serde_json::from_str(&text).expect("golden vectors");
    assert!(!vectors.is_empty());
    for vector in vectors {
        let made = serde_json::to_value(make_todos(&vector.timestamp)).expect("JSON");
        assert_eq!(made, vector.todos, "at {}", vector.timestamp);
    }
}
