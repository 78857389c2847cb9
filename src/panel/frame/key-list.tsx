import { listBindings } from '../components/keys.ts'
import { Dialog, Fact, Facts } from '../components/index.ts'
import { openDialog } from './open-dialog.ts'

const inLists = [
  ['j k', 'Move in a list'],
  ['Enter', 'Open'],
  ['Esc', 'Close'],
] as const

export function KeyList() {
  const all = [...inLists, ...listBindings().map(({ keys, title }) => [keys, title] as const)]
  return (
    <Dialog title="Keys" onClose={() => (openDialog.value = undefined)}>
      <Facts kind="key-list">
        {all.map(([keys, title]) => (
          <Fact
            key={keys + title}
            title={keys.split(' ').map((key) => (
              <kbd key={key}>{toShownKey(key)}</kbd>
            ))}
          >
            {title}
          </Fact>
        ))}
      </Facts>
    </Dialog>
  )
}

export function toShownKey(key: string): string {
  return key.replace('Mod+', isMac() ? '⌘' : 'Ctrl ').replace(/(?<=⌘|Ctrl )\w$/, (letter) => letter.toUpperCase())
}

function isMac(): boolean {
  return /mac|iphone|ipad/i.test(navigator.platform)
}
