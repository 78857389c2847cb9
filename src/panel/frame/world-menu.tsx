import { useSignal } from '@preact/signals'
import { confirmed, DialogForm, forgetUndos, Menu, TextField, toast, type MenuItem } from '../components/index.ts'
import { useDraft } from '../data/draft.ts'
import { usePanel, type Panel } from '../data/panel.ts'
import { resetWorld } from './go-back.ts'
import { goToWorld } from './go-to-world.ts'

export function WorldMenu() {
  const panel = usePanel()
  const { world } = panel
  const isAsking = useSignal(false)
  const name = world.name.value
  const others: MenuItem[] = [...new Set([...world.worlds.value, name])].sort().map((other) => ({
    title: other,
    checked: other === name,
    run: () => goToWorld(panel, other),
  }))
  return (
    <div class="line">
      <span class="world-label muted">world</span>
      <Menu
        onOpen={() => world.refresh()}
        label={`World ${name}: choose, add, reset, delete`}
        items={[
          ...others,
          { title: 'New world…', icon: 'plus', run: () => (isAsking.value = true) },
          { title: `Reset ${name}…`, icon: 'undo', run: () => resetWorld(panel) },
          {
            title: `Delete ${name}…`,
            icon: 'trash',
            kind: 'danger',
            disabled: name === 'default',
            run: () => deleteWorld(panel),
          },
        ]}
      >
        <span class="world-name clip">{name}</span>
      </Menu>
      {isAsking.value && <NewWorld onClose={() => (isAsking.value = false)} />}
    </div>
  )
}

async function deleteWorld(panel: Panel): Promise<void> {
  const { api, world } = panel
  const name = world.name.peek()
  const isWanted = await confirmed({
    title: `Delete the world ${name}?`,
    text: 'This deletes its data, traffic and snapshots. The next request to it creates a new world.',
    action: 'Delete',
  })
  if (!isWanted) return
  await api.deleteWorld(name)
  // A request to the world would create it again.
  forgetUndos(name)
  goToWorld(panel, undefined)
  toast({ text: `Deleted ${name}` })
}

function NewWorld({ onClose }: { readonly onClose: () => void }) {
  const panel = usePanel()
  const { api, world } = panel
  const draft = useDraft('new world')
  const [name, seed, now] = [draft.part('name', ''), draft.part('seed', ''), draft.part('now', '')]
  const isKnown = [...world.worlds.value, world.name.value].includes(name.value)
  const create = async () => {
    await api.putWorld(name.value, {
      ...(seed.value !== '' && { seed: Number(seed.value) }),
      ...(now.value !== '' && { now: now.value }),
    })
    const made = name.peek()
    draft.forget()
    onClose()
    goToWorld(panel, made)
    toast({ text: `Created the world ${made}` })
  }
  return (
    <DialogForm
      title="New world"
      action="Create"
      disabled={name.value === '' || isKnown}
      onSubmit={create}
      draft={draft}
      onClose={onClose}
    >
      <TextField
        title="Name"
        isRequired
        hint="1 to 64 letters, digits, dots, - or _. Clients name it in the key (key_pro@NAME), the path (/~NAME) or a header."
        error={isKnown ? 'A world with this name exists already.' : undefined}
        autofocus
        of={name}
      />
      <TextField title="Seed" hint="Decides everything random." inputMode="numeric" of={seed} />
      <TextField
        title="Clock starts at"
        hint="ISO 8601: 2026-01-31T12:00:00Z. The machine's time by default."
        of={now}
      />
    </DialogForm>
  )
}
