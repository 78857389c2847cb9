import { useEffect, useState } from 'react'
import { listPlants, type Plant } from './plants.ts'

export function PlantList({ apiKey }: { apiKey: string }) {
  const [plants, setPlants] = useState<Plant[]>()
  const [error, setError] = useState<string>()
  useEffect(() => {
    listPlants(apiKey).then(setPlants, (reason: Error) => setError(reason.message))
  }, [apiKey])

  if (error !== undefined) return <p role="alert">{error}</p>
  if (plants === undefined) return <p>Loading …</p>
  return (
    <ul>
      {plants.map(({ name }, place) => (
        <li key={place}>{name}</li>
      ))}
    </ul>
  )
}
