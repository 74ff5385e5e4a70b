// biome-ignore-all lint/a11y/useSemanticElements: the table is a grid, which keeps the focus
// biome-ignore-all lint/a11y/useFocusableInteractive: aria-activedescendant points to the cell
// biome-ignore-all lint/a11y/useKeyWithClickEvents: the dispatcher handles keys
import { useCallback, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { compareText } from '../../../contract/fold.ts'
import { count } from '../../../contract/format.ts'
import type { ServiceUser } from '../../../contract/service.ts'
import type { ListController } from '../../commands/workspaceApi.ts'
import { AnswerState } from '../../data/AnswerState.tsx'
import { underName } from '../../data/api.ts'
import { api } from '../../data/apiClient.ts'
import { useCall } from '../../data/useCall.ts'
import { CommandButton } from '../../runner/CommandButton.tsx'
import { cx } from '../../ui/cx.ts'
import { SelectionBox } from '../../ui/SelectionBox.tsx'
import { EmptyState } from '../../ui/States.tsx'
import { workspace } from '../../workspace/currentWorkspace.ts'
import { usePane } from '../../workspace/pane.tsx'
import { useFocusOnArrival } from '../../workspace/useFocusOnArrival.ts'
import { ClientUserSelect, useClientUsers } from './ClientUserSelect.tsx'
import { type Brand, brandSubject, type Service } from './visitation.tsx'

const nothing = () => {}

/** A grid of users and a brand's services; Space gives or removes access (screens-visitation.md, Brand editor). */
export function BrandUsers({ brand }: { brand: Brand }) {
  const answer = useCall('service.usersOf', { brand_id: brand.id })
  const services = useMemo(() => brand.children.toSorted((a, b) => compareText(a.name, b.name)), [brand.children])
  const clientUsers = useClientUsers()
  const [added, setAdded] = useState<readonly ServiceUser[]>([])
  const users = useKept(answer.data?.data, added)
  const others = clientUsers.users.filter((user) => !users.some(({ id }) => id === user.id))
  const add = (id: number) => {
    const user = others.find((one) => one.id === id)
    if (!user) return
    const { name, email, company_name } = user
    setAdded((before) => [...before, { id, name, email, client_name: company_name, service_ids: [] }])
  }
  const adder = (
    <ClientUserSelect
      label="Add a user"
      placeholder="Add a user…"
      search={clientUsers.search}
      onPick={add}
      options={others.map(({ id, name, email, company_name }) => ({
        id,
        label: [name || email, company_name].filter(Boolean).join(' · '),
      }))}
    />
  )
  const canAdd = others.length > 0 || clientUsers.search !== null
  const give = <CommandButton id="brand.giveAll" subjects={[brandSubject(brand)]} />
  return (
    <section aria-label="Users" className="px-4 pt-3 pb-6">
      <AnswerState answer={{ ...answer, data: undefined }} what="The users" rows={6} />
      {answer.data &&
        (!services.length ? (
          <EmptyState action={<CommandButton id="brand.newService" variant="primary" />}>
            Add a service first. Then give client users access to it.
          </EmptyState>
        ) : !users.length ? (
          <EmptyState
            action={
              <span className="flex flex-wrap items-center justify-center gap-3">
                {canAdd && adder}
                {give}
              </span>
            }
          >
            No client users see a service of this brand yet.
          </EmptyState>
        ) : (
          <>
            <div className="flex flex-wrap items-center gap-3 pb-2">
              <p className="text-meta text-muted" aria-live="polite" aria-atomic="true">
                {`${count(answer.data.count)} ${answer.data.count === 1 ? 'user sees' : 'users see'} ${services.length === 1 ? 'the service' : 'a service'}.`}
                <span className="narrow:hidden"> Space gives or removes access, effective immediately.</span>
              </p>
              <span className="ml-auto flex flex-wrap items-center gap-3">
                {canAdd && adder}
                {give}
              </span>
            </div>
            <UserGrid users={users} services={services} newest={added.at(-1)?.id ?? null} />
          </>
        ))}
    </section>
  )
}

/** Keeps users in the grid after they lose access to their last service, so that it can be restored in place. */
function useKept(now: readonly ServiceUser[] | undefined, added: readonly ServiceUser[]): readonly ServiceUser[] {
  const kept = useRef(new Map<number, ServiceUser>())
  return useMemo(() => {
    if (!now) return []
    for (const [id, user] of kept.current) kept.current.set(id, { ...user, service_ids: [] })
    for (const user of [...added.filter(({ id }) => !kept.current.has(id)), ...now]) kept.current.set(user.id, user)
    return [...kept.current.values()]
  }, [now, added])
}

function UserGrid({
  users,
  services,
  newest,
}: {
  users: readonly ServiceUser[]
  services: readonly Service[]
  /** The user just added by hand, whom the cursor moves to. */
  newest: number | null
}) {
  const pane = usePane()
  const id = useId()
  const frame = useRef<HTMLDivElement>(null)
  const [[row, column], setAt] = useState<readonly [row: number, column: number]>([0, 0])
  /** Cells just switched whose new state hasn't loaded yet. */
  const [going, setGoing] = useState<ReadonlySet<string>>(new Set())
  const toggle = useCallback(
    async (at: number, place: number) => {
      const user = users[at]
      const all = place === services.length
      const target = all ? services : services.slice(place, place + 1)
      if (!user || !target.length) return
      const has = target.every((service) => user.service_ids.includes(service.id))
      const ids = target.map((service) => service.id)
      const key = `${user.id} ${place}`
      const what = all ? 'all services' : `“${target[0]!.name}”`
      setGoing((before) => new Set(before).add(key))
      try {
        await underName(has ? `Remove access to ${what} from ${user.name}` : `Give ${user.name} access to ${what}`, () =>
          api.write('service.setUsers', { user_ids: [user.id], add: has ? [] : ids, remove: has ? ids : [] }),
        )
      } catch (error) {
        workspace.notice(error instanceof Error ? error.message : 'It couldn’t be saved.', 'bad')
      } finally {
        setGoing((before) => new Set([...before].filter((one) => one !== key)))
      }
    },
    [users, services],
  )
  const latest = useRef({ row, column, users, services, toggle })
  latest.current = { row, column, users, services, toggle }
  const controller = useMemo<ListController>(() => {
    const to = (down: number, across: number) => {
      const { row, column, users, services } = latest.current
      setAt([Math.max(0, Math.min(users.length - 1, row + down)), Math.max(0, Math.min(services.length, column + across))])
    }
    const switchIt = () => void latest.current.toggle(latest.current.row, latest.current.column)
    return {
      cursor: null,
      loading: null,
      selected: [],
      exportable: null,
      views: null,
      columns: () => [],
      move: (by) => to(by, 0),
      screen: (by) => to(by * 10, 0),
      end: (which) => to(which === 'first' ? -latest.current.users.length : latest.current.users.length, 0),
      open: switchIt,
      select: switchIt,
      expand: (right) => to(0, right ? 1 : -1),
      edit: switchIt,
      selectRange: nothing,
      selectAll: nothing,
      clearSelection: () => false,
      search: nothing,
      filter: nothing,
      sort: nothing,
      page: nothing,
      menu: nothing,
    }
  }, [])
  useEffect(() => {
    const row = latest.current.users.findIndex((user) => user.id === newest)
    if (row < 0) return
    setAt([row, 0])
    frame.current?.focus({ preventScroll: true })
  }, [newest])
  const { setList } = pane
  useLayoutEffect(() => setList(controller), [controller, setList])
  useEffect(() => () => setList(null), [setList])
  useFocusOnArrival(pane, () => frame.current?.focus({ preventScroll: true }))
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls to the cell when the cursor moves
  useEffect(
    () => void frame.current?.querySelector('[data-cursor]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' }),
    [row, column],
  )
  const heads = [...services.map((service) => service.name), 'All']
  return (
    <div
      ref={frame}
      role="grid"
      aria-label="Who sees which service"
      aria-rowcount={users.length + 1}
      aria-colcount={services.length + 2}
      aria-activedescendant={`${id}-${row}-${column}`}
      tabIndex={0}
      className="group/grid max-w-full overflow-x-auto rounded-md border border-line outline-none focus-visible:border-accent"
    >
      <div role="rowgroup">
        <div role="row" className="flex w-max min-w-full border-b border-line text-meta text-muted">
          <span role="columnheader" className="sticky left-0 z-[1] w-56 shrink-0 bg-surface px-3 py-2 @max-md:w-36">
            User
          </span>
          {heads.map((head, place) => (
            <span
              key={place === services.length ? 'all' : services[place]!.id}
              role="columnheader"
              className="w-28 shrink-0 truncate px-2 py-2 text-center"
              title={head}
            >
              <bdi>{head}</bdi>
            </span>
          ))}
        </div>
      </div>
      <div role="rowgroup">
        {users.map((user, at) => (
          <div
            key={user.id}
            role="row"
            className={cx('flex w-max min-w-full border-b border-line last:border-b-0', at === row && 'bg-cursor')}
          >
            <span
              role="rowheader"
              className={cx(
                'sticky left-0 z-[1] flex w-56 shrink-0 flex-col justify-center px-3 py-1 @max-md:w-36',
                at === row ? 'bg-cursor' : 'bg-surface',
              )}
            >
              <bdi className="truncate">{user.name || user.email}</bdi>
              <bdi className="truncate text-meta text-muted">{user.client_name}</bdi>
            </span>
            {heads.map((head, place) => {
              const target = place === services.length ? services : [services[place]!]
              const accessCount = target.filter((service) => user.service_ids.includes(service.id)).length
              const state = accessCount === target.length ? true : accessCount > 0 ? 'some' : false
              const isCursor = at === row && place === column
              return (
                <span
                  key={place === services.length ? 'all' : services[place]!.id}
                  id={`${id}-${at}-${place}`}
                  role="gridcell"
                  aria-label={`${user.name || user.email}, ${head}: ${state === true ? 'has access' : state ? 'access to some' : 'no access'}`}
                  data-cursor={isCursor || undefined}
                  onClick={() => {
                    setAt([at, place])
                    void toggle(at, place)
                    frame.current?.focus({ preventScroll: true })
                  }}
                  className={cx(
                    'grid min-h-10 w-28 shrink-0 cursor-default place-items-center hover:bg-hover',
                    isCursor && 'outline-2 -outline-offset-2 outline-accent',
                    going.has(`${user.id} ${place}`) && 'opacity-50',
                  )}
                >
                  <SelectionBox state={state} />
                </span>
              )
            })}
          </div>
        ))}
      </div>
    </div>
  )
}
