/** For bare.ts. */
import { pagesOnly } from "./pages-only.config.ts";

export default pagesOnly("./dist/bare-complete", false);
