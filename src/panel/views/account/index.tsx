import { EmptyState, Link, Loaded, NavList, ViewHead } from '../../components/index.ts'
import { ApiFailure } from '../../data/failure.ts'
import { usePanel } from '../../data/panel.ts'
import { useResource } from '../../data/resource.ts'
import { AccountDetail } from './account-detail.tsx'

export default function Account() {
  const { api, router, world } = usePanel()
  const accounts = useResource(() => api.accounts(world.name.value), [], { reloadOn: ['records'] })
  const list = accounts.value.value
  const [wanted] = router.route.value.rest
  const id = wanted ?? list?.find(({ key_count }) => key_count > 0)?.id ?? list?.[0]?.id
  return (
    <>
      <ViewHead title="Account" />
      <div class="split">
        {list && (
          <NavList
            label="Accounts"
            chosen={id}
            items={list.map((account) => ({
              id: account.id,
              title: account.id,
              note: account.plan,
              href: router.href({ view: 'account', rest: [account.id] }),
            }))}
          />
        )}
        <div class="split-list account-page">
          {id !== undefined ? (
            <LoadedAccount key={id} id={id} />
          ) : (
            <Loaded resource={accounts} lines={10}>
              {() => (
                <EmptyState title="This world has no accounts">
                  <p>Add one in a fixture file, or here.</p>
                  <Link class="button" to={{ view: 'data', rest: ['accounts'], params: { new: '*' } }}>
                    Add an account
                  </Link>
                </EmptyState>
              )}
            </Loaded>
          )}
        </div>
      </div>
    </>
  )
}

const events = ['request', 'records', 'keys', 'clock', 'scenarios', 'assumptions']

function LoadedAccount({ id }: { readonly id: string }) {
  const { api, world } = usePanel()
  const account = useResource(() => api.account(world.name.value, id), [], { reloadOn: events })
  const error = account.error.value
  if (error instanceof ApiFailure && error.code === 'unknown_account')
    return <EmptyState title="This account does not exist">{error.message}</EmptyState>
  return (
    <Loaded resource={account} lines={14}>
      {(value) => <AccountDetail account={value} reload={account.reload} />}
    </Loaded>
  )
}
