import { useSignal } from '@preact/signals'
import { Button, CopyButton, JsonTree, pretty } from '../../components/index.ts'

interface PayloadProps {
  readonly value: unknown
  readonly raw: string
}

export function Payload({ value, raw }: PayloadProps) {
  const isRaw = useSignal(false)
  return (
    <>
      <div class="row part-head">
        <span class="muted">The same in every attempt.</span>
        <span class="spacer" />
        <Button kind="quiet" pressed={isRaw.value} onClick={() => (isRaw.value = !isRaw.value)}>
          Raw
        </Button>
        <CopyButton text={() => (isRaw.peek() ? raw : pretty(value))} what="the payload" />
      </div>
      {isRaw.value ? <pre class="code">{raw}</pre> : <JsonTree value={value} open={3} />}
    </>
  )
}
