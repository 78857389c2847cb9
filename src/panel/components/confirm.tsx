import { signal } from '@preact/signals'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

interface Question {
  readonly title: string
  readonly text: string
  readonly action: string
}

const asked = signal<(Question & { readonly answer: (yes: boolean) => void }) | undefined>(undefined)

export function confirmed(question: Question): Promise<boolean> {
  return new Promise((resolve) => {
    asked.value = {
      ...question,
      answer: (yes) => {
        asked.value = undefined
        resolve(yes)
      },
    }
  })
}

export function forgetQuestion(): void {
  asked.peek()?.answer(false)
}

export function Confirmations() {
  const question = asked.value
  if (!question) return null
  const { title, text, action, answer } = question
  return (
    <Dialog
      title={title}
      onClose={() => answer(false)}
      actions={
        <>
          <Button onClick={() => answer(false)}>Cancel</Button>
          <Button kind="danger" onClick={() => answer(true)}>
            {action}
          </Button>
        </>
      }
    >
      <p>{text}</p>
    </Dialog>
  )
}
