/** The response in one piece, with its length: one made of a string keeps that to itself. */
export async function withLength(response: Response): Promise<Response> {
  const body = await response.arrayBuffer();
  const headers = new Headers(response.headers);
  headers.set("content-length", String(body.byteLength));
  return new Response(body, { status: response.status, headers });
}
