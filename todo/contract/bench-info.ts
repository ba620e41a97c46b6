/** What `GET /bench/info` answers, and the judgement of its claims that need no look at the machine. */
import { decodeUtf8, type Mode } from "./http.ts";
import type { Problem } from "./problem.ts";
import { differs, problem, quote } from "./problems.ts";

export interface LoadedArtifact {
  /** Relative to the adapter's folder, with forward slashes. */
  readonly path: string;
  /** 64 lower-case hex digits. */
  readonly sha256: string;
}

export interface BenchInfo {
  readonly adapter: string;
  readonly responseMode: Mode;
  readonly runtime: string;
  readonly runtimeVersion: string;
  readonly pid: number;
  readonly frameworkVersion: string;
  readonly artifacts: readonly LoadedArtifact[];
}

/** What the answer must say of itself. */
export interface ExpectedInfo {
  readonly adapter: string;
  readonly responseMode: Mode;
  readonly runtime: string;
}

const FIELDS = {
  adapter: isText,
  responseMode: (value: unknown) => value === "progressive" || value === "complete",
  runtime: isText,
  runtimeVersion: isText,
  pid: (value: unknown) => Number.isSafeInteger(value) && (value as number) > 0,
  frameworkVersion: isText,
  artifacts: (value: unknown) => Array.isArray(value) && value.length > 0 && value.every(isArtifact),
} as const satisfies Record<keyof BenchInfo, (value: unknown) => boolean>;

function isText(value: unknown): boolean {
  return typeof value === "string" && value.trim() !== "";
}

function isArtifact(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { path, sha256 } = value as Record<string, unknown>;
  return (
    typeof path === "string" && path !== "" && typeof sha256 === "string" && /^[0-9a-f]{64}$/.test(sha256)
  );
}

/** The body of `/bench/info` as its type, or what keeps it from being that. */
export function parseBenchInfo(
  body: Uint8Array,
): { readonly info: BenchInfo } | { readonly info: null; readonly problems: readonly Problem[] } {
  let json: unknown;
  try {
    json = JSON.parse(decodeUtf8(body) ?? "");
  } catch (error) {
    return { info: null, problems: [problem("info-json", "JSON in UTF-8", (error as Error).message)] };
  }
  if (typeof json !== "object" || json === null || Array.isArray(json)) {
    return { info: null, problems: [problem("info-json", "an object", quote(json))] };
  }
  const record = json as Record<string, unknown>;
  const problems = Object.entries(FIELDS).flatMap(([name, isRight]) =>
    isRight(record[name]) ? [] : [problem("info-field", `a right ${name}`, quote(record[name]))],
  );
  return problems.length === 0 ? { info: json as BenchInfo } : { info: null, problems };
}

/** Whether the server says that it is what was started. */
export function checkBenchInfo(info: BenchInfo, expected: ExpectedInfo): Problem[] {
  const paths = info.artifacts.map(({ path }) => path);
  const bad = paths.find((path) => path.startsWith("/") || path.split("/").includes(".."));
  const seen = new Set<string>();
  const twice = paths.find((path) => seen.size === seen.add(path).size);
  return [
    ...differs("info-adapter", expected.adapter, info.adapter),
    ...differs("info-mode", expected.responseMode, info.responseMode),
    ...differs("info-runtime", expected.runtime, info.runtime),
    ...(bad === undefined
      ? []
      : [problem("info-artifacts", "paths inside the adapter's folder", quote(bad))]),
    ...(twice === undefined ? [] : [problem("info-artifacts", "every path once", quote(twice))]),
  ];
}
