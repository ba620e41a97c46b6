import react from "@astrojs/react";
import { pagesOnly } from "./pages-only.config.ts";
import { forTheSuite } from "./server/integration.ts";

export default { ...pagesOnly("./dist/output", true), integrations: [react(), forTheSuite()] };
