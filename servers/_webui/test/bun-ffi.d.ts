/** What the tests use of Bun's FFI. */
declare module "bun:ffi" {
  export const FFIType: { readonly i64: "i64"; readonly i32: "i32"; readonly pointer: "pointer" };
  type Argument = "i64" | "i32" | "pointer";
  interface Signature {
    readonly args: readonly Argument[];
    readonly returns: "i64" | "i32";
  }
  type Result<Type> = Type extends "i64" ? bigint : number;
  export function dlopen<Symbols extends Readonly<Record<string, Signature>>>(
    library: string,
    symbols: Symbols,
  ): {
    readonly symbols: {
      readonly [Name in keyof Symbols]: (...values: (bigint | number)[]) => Result<Symbols[Name]["returns"]>;
    };
  };
  /** The address of a buffer's first byte. */
  export function ptr(view: ArrayBufferView): number;
}
