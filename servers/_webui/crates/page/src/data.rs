//! The workload's data, as `todo/contract/data.ts` defines it; the golden vectors made from that module hold this
//! one to it.

use serde::Serialize;

pub const TODO_COUNT: usize = 100;
const VARIANT_COUNT: usize = 32;

const PRIORITY_BIT: usize = 1;
const DUE_BIT: usize = 2;
const TAGS_BIT: usize = 4;
const NOTE_BIT: usize = 8;
const ASSIGNEE_BIT: usize = 16;

const PRIORITIES: [&str; 3] = ["low", "medium", "high"];

const TAGS: [&str; 7] = ["home", "work", "garden", "errand", "reading", "health", "travel"];

const NOTES: [&str; 5] = [
    "Ask \"Ann\" & Bob: is 3 < 5 > 2? It's on the cafe\u{301} list \u{2615}",
    "<b>Not bold</b> & 'not' \"markup\": a re\u{301}sume\u{301} to send \u{1F4C4}",
    "R&D says x > y < z; \"don't\" forget the pin\u{303}ata \u{1F389}",
    "if (a < b && b > c) { call(\"Zoe\u{308}'s office\") } \u{1F4DE}",
    "Fish & chips > \"soup\" < cake, says the mai\u{302}tre d' \u{1F41F}",
];

const ASSIGNEES: [Assignee; 6] = [
    Assignee { initials: "AL", name: "Ada Lovelace" },
    Assignee { initials: "GH", name: "Grace Hopper" },
    Assignee { initials: "AT", name: "Alan Turing" },
    Assignee { initials: "KJ", name: "Katherine Johnson" },
    Assignee { initials: "DK", name: "Donald Knuth" },
    Assignee { initials: "BL", name: "Barbara Liskov" },
];

const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// The pages' filters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Filter {
    All,
    Active,
    Completed,
}

impl Filter {
    /// The filter that a path shows; none for a path that isn't a page.
    #[must_use]
    pub fn of_path(path: &str) -> Option<Self> {
        match path {
            "/" => Some(Self::All),
            "/active" => Some(Self::Active),
            "/completed" => Some(Self::Completed),
            _ => None,
        }
    }

    /// Whether a page with this filter shows the todo.
    #[must_use]
    pub fn shows(self, todo: &Todo) -> bool {
        match self {
            Self::All => true,
            Self::Active => !todo.completed,
            Self::Completed => todo.completed,
        }
    }
}

#[derive(Debug, Serialize)]
pub struct Due {
    pub date: String,
    pub label: String,
}

#[derive(Clone, Copy, Debug, Serialize)]
pub struct Assignee {
    pub initials: &'static str,
    pub name: &'static str,
}

/// One item. A part whose bit isn't set in `variant` is absent from its JSON.
#[derive(Debug, Serialize)]
pub struct Todo {
    pub id: String,
    pub title: String,
    pub completed: bool,
    pub variant: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub priority: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub due: Option<Due>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tags: Option<[&'static str; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub assignee: Option<Assignee>,
}

fn pick<T: Copy>(table: &[T], n: usize) -> T {
    table[n % table.len()]
}

fn due(n: usize) -> Due {
    let month = n % 12;
    let day = n % 28 + 1;
    Due {
        date: format!("2026-{:02}-{day:02}", month + 1),
        label: format!("due {day} {} 2026", MONTHS[month]),
    }
}

fn make_todo(n: usize, timestamp: &str) -> Todo {
    let variant = (n - 1) % VARIANT_COUNT;
    let has = |bit: usize| variant & bit != 0;
    Todo {
        id: format!("todo-{n:03}"),
        title: format!("Todo {n:03} at {timestamp}"),
        completed: n % 3 == 1,
        variant,
        priority: has(PRIORITY_BIT).then(|| pick(&PRIORITIES, n)),
        due: has(DUE_BIT).then(|| due(n)),
        tags: has(TAGS_BIT).then(|| [pick(&TAGS, n), pick(&TAGS, n + 3)]),
        note: has(NOTE_BIT).then(|| pick(&NOTES, n)),
        assignee: has(ASSIGNEE_BIT).then(|| pick(&ASSIGNEES, n)),
    }
}

/// The 100 todos of a request handled at `timestamp` (ISO 8601, milliseconds, UTC).
#[must_use]
pub fn make_todos(timestamp: &str) -> Vec<Todo> {
    (1..=TODO_COUNT).map(|n| make_todo(n, timestamp)).collect()
}

/// What the page shows as `data-request`: the `r` of the query where it is 1 to 32 letters and digits, else nothing.
#[must_use]
pub fn request_nonce(value: Option<&str>) -> &str {
    value
        .filter(|text| {
            (1..=32).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
        })
        .unwrap_or_default()
}

/// `66 items left`, `1 item left`.
#[must_use]
pub fn remaining_label(active: usize) -> String {
    format!("{active} {} left", if active == 1 { "item" } else { "items" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nonce_is_letters_and_digits_or_nothing() {
        assert_eq!(request_nonce(Some("aZ09")), "aZ09");
        assert_eq!(request_nonce(Some(&"x".repeat(32))), "x".repeat(32));
        for bad in ["", "a-b", "a b", "\u{e9}", &"x".repeat(33)] {
            assert_eq!(request_nonce(Some(bad)), "");
        }
        assert_eq!(request_nonce(None), "");
    }

    #[test]
    fn one_item_is_singular() {
        assert_eq!(remaining_label(66), "66 items left");
        assert_eq!(remaining_label(1), "1 item left");
        assert_eq!(remaining_label(0), "0 items left");
    }
}
