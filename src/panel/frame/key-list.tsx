import { Fact, Facts } from '../components/content.tsx'
import { Dialog, openDialog } from '../components/controls.tsx'
import { panelCommands } from '../components/keys.ts'

const inLists = [
  { keys: 'j k', title: 'Move in a list' },
  { keys: 'Enter', title: 'Open' },
  { keys: 'Esc', title: 'Close' },
]

export function KeyList() {
  return (
    <Dialog title="Keys" onClose={() => (openDialog.value = undefined)}>
      <Facts>
        {[...inLists, ...panelCommands.value.filter(({ title }) => title !== '')].map(
          ({ keys, title }) => (
            <Fact
              key={keys + title}
              title={keys.split(' ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            >
              {title}
            </Fact>
          ),
        )}
      </Facts>
    </Dialog>
  )
}
