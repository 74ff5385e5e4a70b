import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react'
import { foldText } from '../../../contract/foldText.ts'
import { count } from '../../../contract/format.ts'
import type { Subject } from '../../commands/subject.ts'
import { AnswerState } from '../../data/AnswerState.tsx'
import { underName } from '../../data/api.ts'
import { api } from '../../data/apiClient.ts'
import { useCall } from '../../data/useCall.ts'
import { Button } from '../../ui/Button.tsx'
import { cx } from '../../ui/cx.ts'
import { ConfirmDialog, Dialog } from '../../ui/Dialog.tsx'
import { SearchInput } from '../../ui/SearchInput.tsx'
import { Select } from '../../ui/Select.tsx'
import { SelectionBox } from '../../ui/SelectionBox.tsx'
import { workspace } from '../../workspace/currentWorkspace.ts'
import { momentDay } from '../shared/momentDay.ts'
import { COLUMN } from '../shared/RowColumns.tsx'
import { ClientUserSelect, useClientUsers } from './ClientUserSelect.tsx'

const SHOWN = [
  { value: 'all', label: 'All' },
  { value: 'accessible', label: 'With access' },
  { value: 'active', label: 'Active' },
  { value: 'inactive', label: 'Inactive' },
] as const
type UserFilter = (typeof SHOWN)[number]['value']
interface Change {
  add: number[]
  remove: number[]
  name: string
}
const several = (number: number, one: string, many: string) => `${count(number)} ${number === 1 ? one : many}`

/** Edits which visitation services client users see; Space gives or removes access (screens-visitation.md, Dialog). */
export function UserServices({ users, onClose }: { users: readonly Subject[]; onClose(): void }) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const ids = useMemo(() => users.map((user) => user.id), [users])
  const [one] = users
  const own = useCall('service.ofUser', { user_id: one!.id }, { fresh: true })
  const everybody = useCall('service.usersOf', {}, { fresh: true })
  const clientUsers = useClientUsers()
  const [search, setSearch] = useState('')
  const [shown, setShown] = useState<UserFilter>('all')
  const [at, setAt] = useState(0)
  const [busy, setBusy] = useState<'checks' | 'saves' | null>(null)
  const [pending, setPending] = useState<(Change & { sentence: string }) | null>(null)
  const all = own.data?.data
  const seen = everybody.data?.data
  const reads = (ids.length > 1 ? [own, everybody] : [own]).some(({ loading, refreshing }) => loading || refreshing)
  /** The number of these users who see each service. */
  const held = useMemo(() => {
    const counts = new Map<number, number>()
    if (ids.length === 1) for (const service of all ?? []) counts.set(service.id, service.selected ? 1 : 0)
    else
      for (const user of seen ?? [])
        if (ids.includes(user.id)) for (const at of user.service_ids) counts.set(at, (counts.get(at) ?? 0) + 1)
    return counts
  }, [all, seen, ids])
  const stateOf = (service: number): boolean | 'some' => {
    const number = held.get(service) ?? 0
    return number === ids.length ? true : number > 0 ? 'some' : false
  }
  const wanted = foldText(search).trim()
  const rows = (all ?? []).filter(
    (row) =>
      (shown === 'all' || (shown === 'accessible' ? stateOf(row.id) !== false : row.status === shown)) &&
      foldText(`${row.name} ${row.brand_name}`).includes(wanted),
  )
  const cursor = Math.min(at, rows.length - 1)
  const accessCount = (all ?? []).filter((row) => stateOf(row.id) === true).length
  const who = ids.length === 1 ? one!.name : several(ids.length, 'user', 'users')

  const write = async ({ add, remove, name }: Change) => {
    setBusy('saves')
    try {
      const { message } = await underName(name, () => api.write('service.setUsers', { user_ids: ids, add, remove }))
      workspace.notice(message)
    } catch (error) {
      workspace.notice(error instanceof Error ? error.message : 'It couldn’t be saved.', 'bad')
    } finally {
      setBusy(null)
      list.current?.focus()
    }
  }
  /** Confirms before removing services, naming the consequences. */
  const change = async (next: Change) => {
    if (busy) return
    if (!next.remove.length) return write(next)
    setBusy('checks')
    try {
      const { message } = await api.dryRun('service.setUsers', { user_ids: ids, add: next.add, remove: next.remove })
      setPending({ ...next, sentence: message })
    } catch (error) {
      workspace.notice(error instanceof Error ? error.message : 'It couldn’t be checked.', 'bad')
    } finally {
      setBusy(null)
    }
  }
  const toggle = (row: (typeof rows)[number] | undefined) => {
    if (!row) return
    const removes = stateOf(row.id) === true
    void change({
      add: removes ? [] : [row.id],
      remove: removes ? [row.id] : [],
      name: removes ? `Remove access to “${row.name}” from ${who}` : `Give ${who} access to “${row.name}”`,
    })
  }
  /** The users' clients, as far as they have loaded. */
  const companies = useRef(new Set<string | null>())
  /** Users to copy services from: those of the same client first, including those without services. */
  const copySources = useMemo(() => {
    const everyone = clientUsers.users
    for (const user of everyone) if (ids.includes(user.id)) companies.current.add(user.company_name)
    const held = new Map(seen?.map((user) => [user.id, user.service_ids]))
    return everyone
      .filter((user) => !ids.includes(user.id))
      .map(({ id, name, email, company_name }) => {
        const service_ids = held.get(id) ?? []
        return { id, name: name || email, service_ids, isNear: companies.current.has(company_name), company_name }
      })
      .sort((a, b) => Number(b.isNear) - Number(a.isNear))
  }, [clientUsers.users, seen, ids])
  const sameAs = (user: number) => {
    const theirs = copySources.find((other) => other.id === user)
    if (!theirs) return
    const add = theirs.service_ids.filter((service) => stateOf(service) !== true)
    const remove = [...held]
      .filter(([service, number]) => number > 0 && !theirs.service_ids.includes(service))
      .map(([service]) => service)
    if (!add.length && !remove.length) return workspace.notice(`${who} already see the same as ${theirs.name}.`)
    void change({
      add,
      remove,
      name: theirs.service_ids.length
        ? `Give ${who} the same access as ${theirs.name}`
        : `Remove access to all services from ${who}`,
    })
  }
  const keys = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: 1,
      j: 1,
      ArrowUp: -1,
      k: -1,
      ArrowRight: COLUMN,
      l: COLUMN,
      ArrowLeft: -COLUMN,
      h: -COLUMN,
      Home: -rows.length,
      End: rows.length,
    }
    const step = steps[event.key]
    if (step !== undefined) setAt(Math.max(0, Math.min(rows.length - 1, cursor + step)))
    else if (event.key === ' ' || event.key === 'Enter') toggle(rows[cursor])
    else if (event.key === '/') field.current?.focus()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls to the row when the cursor moves
  useEffect(() => void list.current?.querySelector('[data-cursor]')?.scrollIntoView({ block: 'nearest' }), [cursor])
  const columns = Array.from({ length: Math.ceil(rows.length / COLUMN) }, (_, column) =>
    rows.slice(column * COLUMN, (column + 1) * COLUMN),
  )
  return (
    <>
      <Dialog
        open
        onClose={onClose}
        size="lg"
        title={`Visitation services of ${who}`}
        description={
          all ? `Access to ${count(accessCount)} of ${count(all.length)}${ids.length > 1 ? ', for all of them' : ''}` : undefined
        }
        initialFocus="[role=listbox]"
        footer={
          <>
            <span className="mr-auto max-w-full max-sm:[&_select]:h-11">
              <ClientUserSelect
                label="Same as"
                placeholder="Same as…"
                search={clientUsers.search}
                onPick={sameAs}
                options={copySources.map(({ id, name, company_name, service_ids }) => ({
                  id,
                  label: [
                    name,
                    company_name,
                    service_ids.length ? several(service_ids.length, 'service', 'services') : 'no services',
                  ]
                    .filter(Boolean)
                    .join(' · '),
                }))}
              />
            </span>
            <Button data-view="" onClick={onClose} kbd="Esc">
              Close
            </Button>
          </>
        }
      >
        <div className="flex flex-wrap items-center gap-2 pb-2">
          <SearchInput
            ref={field}
            kbd="/"
            className="min-w-40 flex-1 sm:max-w-56"
            label="Search services"
            placeholder="Search services"
            value={search}
            onChange={setSearch}
            onEnter={() => list.current?.focus()}
          />
          <Select aria-label="Show" className="w-32" value={shown} onChange={setShown} options={SHOWN} />
        </div>
        <AnswerState answer={own} what="The services" rows={6} />
        <div
          ref={list}
          role="listbox"
          aria-label="Services"
          aria-multiselectable="true"
          aria-busy={busy !== null}
          // Keys typed before the rows have loaded, or while a change is saved, wait.
          data-reading={reads || busy === 'saves' ? 'all' : undefined}
          aria-activedescendant={rows[cursor] ? `${id}-${rows[cursor].id}` : undefined}
          tabIndex={0}
          onKeyDown={keys}
          className="group/list grid min-h-24 grid-cols-[repeat(auto-fill,minmax(min(100%,220px),1fr))] gap-x-3 rounded-md sm:gap-y-3 outline-none focus-visible:outline-2 focus-visible:outline-accent"
        >
          {columns.map((column, nth) => (
            // biome-ignore lint/a11y/useSemanticElements: a group of options isn't a fieldset
            <div key={column[0]!.id} role="group" aria-label={`Column ${nth + 1}`} className="min-w-0">
              {column.map((row, place) => {
                const index = nth * COLUMN + place
                const state = stateOf(row.id)
                const since =
                  ids.length === 1 && row.added_at
                    ? `since ${momentDay(row.added_at)}${row.added_by_name ? ` by ${row.added_by_name}` : ''}`
                    : ''
                return (
                  // biome-ignore lint/a11y/useKeyWithClickEvents: the listbox handles keys
                  <div
                    key={row.id}
                    id={`${id}-${row.id}`}
                    role="option"
                    tabIndex={-1}
                    aria-selected={state === true}
                    aria-label={`${row.name}, ${row.brand_name}${state === 'some' ? ', some have access' : ''}${row.status === 'inactive' ? ', inactive' : ''}${since && `, ${since}`}`}
                    data-cursor={index === cursor || undefined}
                    onClick={() => {
                      setAt(index)
                      toggle(row)
                    }}
                    className={cx(
                      'flex items-start gap-2 rounded-sm px-1.5 py-1',
                      index === cursor ? 'bg-cursor' : 'hover:bg-hover',
                    )}
                  >
                    <span className="mt-1">
                      <SelectionBox state={state} />
                    </span>
                    <span className="min-w-0 flex-1">
                      <span className="block truncate">
                        <bdi>{row.name}</bdi> <bdi className="text-meta text-muted">{row.brand_name}</bdi>
                      </span>
                      {(since || row.status === 'inactive') && (
                        <span className="block truncate text-meta text-muted">
                          {[row.status === 'inactive' ? 'Inactive' : '', since].filter(Boolean).join(' · ')}
                        </span>
                      )}
                    </span>
                  </div>
                )
              })}
            </div>
          ))}
        </div>
        {all && !rows.length && (
          <p className="py-3 text-muted">{all.length ? 'No services match.' : 'There are no services yet.'}</p>
        )}
      </Dialog>
      <ConfirmDialog
        open={pending !== null}
        onClose={() => setPending(null)}
        onConfirm={() => {
          const next = pending!
          setPending(null)
          void write(next)
        }}
        title={pending ? `${pending.name}?` : ''}
        confirm={pending?.add.length ? 'Change access' : 'Remove access'}
      >
        {pending?.sentence}
      </ConfirmDialog>
    </>
  )
}
