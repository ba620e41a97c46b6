/** The address is all that it adds: the app is in the layout. */
export default function AllPage() {
  return null;
}
