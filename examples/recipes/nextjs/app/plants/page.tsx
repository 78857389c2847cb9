interface Plant {
  name: string
}

export default async function PlantsPage() {
  const reply = await fetch(`${process.env['PLANTS_BASE_URL']}/plants`, {
    headers: { authorization: `Bearer ${process.env['PLANTS_KEY']}` },
    cache: 'no-store',
  })
  if (!reply.ok) return <p role="alert">The plants are not available: {reply.status}</p>
  const plants = (await reply.json()) as Plant[]
  return (
    <ul>
      {plants.map(({ name }, place) => (
        <li key={place}>{name}</li>
      ))}
    </ul>
  )
}
