import { useSignal } from '@preact/signals'
import { attempt, Select } from '../../components/index.ts'

interface PlanSelectProps {
  readonly plan: string
  readonly plans: readonly string[]
  readonly onChoose: (plan: string) => Promise<void>
}

export function PlanSelect({ plan, plans, onChoose }: PlanSelectProps) {
  const wanted = useSignal<string | undefined>(undefined)
  const choose = async (chosen: string) => {
    wanted.value = chosen
    await attempt(() => onChoose(chosen))
    wanted.value = undefined
  }
  return <Select label="Plan" value={wanted.value ?? plan} options={plans} onChange={(chosen) => void choose(chosen)} />
}
