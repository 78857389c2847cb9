export default function Overview() {
  return <p>…</p>
}
