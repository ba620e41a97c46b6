//! Holds WebUI's addon for Node, Bun and Deno in the workspace, so that it is built of the same locked crates, with the
//! same profile, as the server. Nothing of ours is in it: `cargo build -p microsoft-webui-node` leaves the file.
