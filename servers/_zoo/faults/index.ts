/** All faults. One with a new theme gets a file of its own beside this one. */
import type { Faults } from "../fault.ts";
import { CLIENT_FAULTS } from "./client.ts";
import { SLY_CLIENT_FAULTS } from "./client-sly.ts";
import { CONTENT_FAULTS } from "./content.ts";
import { ELSEWHERE_FAULTS } from "./elsewhere.ts";
import { HTTP_FAULTS } from "./http.ts";
import { BUILD_FAULTS } from "./process-build.ts";
import { CHILDREN_FAULTS } from "./process-children.ts";
import { PACE_FAULTS } from "./process-pace.ts";
import { REUSE_FAULTS } from "./reuse.ts";
import { TWO_FACED_FAULTS } from "./two-faced.ts";
import { WIRE_FAULTS } from "./wire.ts";

export const FAULTS: Faults = {
  ...CLIENT_FAULTS,
  ...SLY_CLIENT_FAULTS,
  ...CONTENT_FAULTS,
  ...REUSE_FAULTS,
  ...ELSEWHERE_FAULTS,
  ...HTTP_FAULTS,
  ...WIRE_FAULTS,
  ...TWO_FACED_FAULTS,
  ...BUILD_FAULTS,
  ...CHILDREN_FAULTS,
  ...PACE_FAULTS,
};
