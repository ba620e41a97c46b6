import type { Todo } from "../../todo/contract/data.ts";

/** The optional parts of an item: those it hasn't are absent. */
export function Parts({ todo }: { readonly todo: Todo }) {
  const { priority, due, tags, note, assignee } = todo;
  const hasLine = priority || due || tags || assignee;
  return (
    <>
      {hasLine && (
        <div className="todo-parts">
          {priority && (
            <span className="todo-priority" data-priority data-level={priority}>
              {priority}
            </span>
          )}
          {due && (
            <time data-due dateTime={due.date}>
              {due.label}
            </time>
          )}
          {tags && (
            <ul className="todo-tags" aria-label="Tags">
              {tags.map((tag) => (
                <li key={tag} className="todo-tag" data-tag>
                  {tag}
                </li>
              ))}
            </ul>
          )}
          {assignee && (
            <span data-assignee>
              <span className="todo-initials">{assignee.initials}</span> {assignee.name}
            </span>
          )}
        </div>
      )}
      {note && (
        <p className="todo-note" data-note>
          {note}
        </p>
      )}
    </>
  );
}
