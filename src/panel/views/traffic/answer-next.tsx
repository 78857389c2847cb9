import { toLiteral } from '../../../core/definitions/literal.ts'
import { Button, CopyButton, Dialog, TextField } from '../../components/index.ts'
import { useDraft } from '../../data/draft.ts'
import { parseAnswer } from '../../data/json.ts'
import { usePanel } from '../../data/panel.ts'
import type { InlineChoice } from '../../data/shapes.ts'
import { switchOn } from '../../frame/switch.ts'

export function AnswerNext({ operation, onClose }: { readonly operation: string; readonly onClose: () => void }) {
  const panel = usePanel()
  const draft = useDraft(`answer ${operation}`)
  const [times, status, body] = [draft.part('times', '1'), draft.part('status', '500'), draft.part('body', '')]
  const hasTimes = /^[1-9]\d{0,5}$/.test(times.value)
  const hasStatus = /^[2-5]\d\d$/.test(status.value)
  const parsed = parse(body.value)
  const isReady = hasTimes && hasStatus && !('error' in parsed)
  const choice = {
    title: `answer ${operation}`,
    respond: [
      {
        on: operation,
        status: Number(status.value),
        ...('value' in parsed && { body: parsed.value }),
        times: Number(times.value),
      },
    ],
  } as InlineChoice
  const code = isReady ? `world.use(${toLiteral(choice)})` : ''
  return (
    <Dialog
      title={`Next calls to ${operation}`}
      width="wide"
      onClose={onClose}
      actions={
        <>
          <CopyButton text={code} what="the code">
            Copy code
          </CopyButton>
          <Button
            kind="primary"
            icon="play"
            disabled={!isReady}
            onClick={async () => {
              await switchOn(panel, choice)
              draft.forget()
              onClose()
            }}
          >
            Answer them
          </Button>
        </>
      }
    >
      <div class="form">
        <TextField
          title="Calls"
          isRequired
          error={hasTimes ? undefined : 'Expected a whole number from 1.'}
          inputMode="numeric"
          of={times}
        />
        <TextField
          title="Status"
          isRequired
          error={hasStatus ? undefined : 'Expected a status from 200 to 599.'}
          inputMode="numeric"
          of={status}
        />
        <TextField
          title="Body"
          hint="JSON. Without it the reply has no body."
          error={'error' in parsed ? parsed.error : undefined}
          rows={4}
          of={body}
        />
        {isReady && <pre class="code">{code}</pre>}
      </div>
    </Dialog>
  )
}

function parse(text: string): { readonly value?: unknown } | { readonly error: string } {
  if (text.trim() === '') return {}
  try {
    return { value: parseAnswer(text) }
  } catch {
    return { error: 'Expected JSON.' }
  }
}
