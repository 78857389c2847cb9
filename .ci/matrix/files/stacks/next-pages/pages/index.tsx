import { visit } from '../visit'

export const getServerSideProps = async () => ({ props: { visits: await visit() } })

export default function Page({ visits }: { visits: number }) {
  return <h1>{`edition 1, visit ${visits}`}</h1>
}
