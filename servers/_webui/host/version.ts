/** The build puts the version in which Cargo.lock holds the addon in its place. */
declare const WEBUI_VERSION: string;

/** The framework's version. */
export const webuiVersion = WEBUI_VERSION;
