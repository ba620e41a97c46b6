import "../_kit/assets/favicon.svg";
import "../_kit/assets/todo.css";
import { hydrateRoot } from "react-dom/client";
import { readPageData } from "../_kit/client/json.ts";
import { Document, type DocumentData } from "./app/Document.tsx";

hydrateRoot(document, <Document data={readPageData<DocumentData>()} />);
