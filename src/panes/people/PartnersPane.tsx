import { useAtomValue } from 'jotai'
import { useMemo } from 'react'
import { count, dollars, percent } from '../../../contract/format.ts'
import { partnerFields } from '../../../contract/partnerFields.ts'
import { PARTNER_FILTERS } from '../../../contract/partnerFilters.ts'
import type { CommandId } from '../../commands/table.ts'
import { ApiError } from '../../data/api.ts'
import { editsOf } from '../../list/fieldEdit.ts'
import { ListScreen } from '../../list/ListScreen.tsx'
import { columnsOf, Name } from '../../list/nounColumns.tsx'
import { useNounList } from '../../list/useNounList.ts'
import { href } from '../../routing/routes.ts'
import { toast } from '../../runner/toast.tsx'
import { showPhone } from '../../ui/PhoneInput.tsx'
import { workspace } from '../../workspace/currentWorkspace.ts'
import { usePane } from '../../workspace/pane.tsx'
import { paneStateAtom, paneStateOf } from '../../workspace/paneState.ts'
import { PartnerAnswers } from './PartnerAnswers.tsx'
import { type Partner, partnerSubject } from './peopleSubjects.ts'
import { NameTwice, useSameNames } from './SameName.tsx'

/** Offers to open the partner that already has a name; the cell shows the error itself. */
function offerTaken(error: unknown, name: string): void {
  if (!(error instanceof ApiError && error.fields.name && typeof error.more.id === 'number')) return
  const run = () => workspace.open(href('partners', {}, { query: { search: name } }), 'beside')
  void toast(error.message, { action: { label: 'Open', run } })
}
const edits = editsOf('partner', partnerFields)
/** Edits a partner in place; a name that another one has leads to it. */
const edit = (name: Parameters<typeof edits>[0]) => ({
  ...edits(name),
  save: (row: Partner, typed: string) =>
    edits(name)
      .save(row, typed)
      .catch((error: unknown) => {
        offerTaken(error, typed.trim())
        throw error
      }),
})
const faint = <span className="text-faint">–</span>
const figure = (value: number | null, shown: (value: number) => string) =>
  value === null ? faint : <span className={value ? '' : 'text-faint'}>{shown(value)}</span>
/** Formats a response time: hours up to two days, then days. */
const hours = (value: number) => (value <= 48 ? `${count(value)} h` : `${count(Math.round(value / 24))} days`)

const columnsWith = (sameNames: (id: number) => readonly number[]) =>
  columnsOf('partner', {
    name: {
      min: 150,
      flex: 2.4,
      priority: 15,
      // Duplicates are merged by partner.merge.
      render: (row) => <Name aside={<NameTwice others={sameNames(row.id)} />}>{row.name}</Name>,
      edit: edit('name'),
    },
    id: { width: 64, priority: 1, narrow: 'hidden' },
    contact: {
      min: 110,
      flex: 1.4,
      priority: 6,
      narrow: 'hidden',
      render: (row) => (row.contact ? <span className="truncate text-muted">{row.contact}</span> : faint),
      edit: edit('contact'),
    },
    email: {
      whole: true,
      min: 150,
      flex: 2,
      priority: 8,
      narrow: 'meta',
      render: (row) => (row.email ? <span className="truncate text-muted">{row.email}</span> : faint),
      edit: edit('email'),
    },
    phone: {
      width: 128,
      priority: 4,
      narrow: 'hidden',
      render: (row) => (row.phone ? <span className="text-muted tabular-nums">{showPhone(row.phone)}</span> : faint),
      edit: edit('phone'),
    },
    open_count: {
      width: 72,
      priority: 14,
      narrow: 'aside',
      render: (row) => figure(row.open_count, (value) => `${count(value)} open`),
    },
    answer_rate: { width: 104, priority: 13, narrow: 'hidden', render: (row) => figure(row.answer_rate, percent) },
    answer_hours: { width: 124, priority: 12, narrow: 'hidden', render: (row) => figure(row.answer_hours, hours) },
    yes_rate: { width: 72, priority: 10, narrow: 'hidden', render: (row) => figure(row.yes_rate, percent) },
    cpi_cents: { width: 106, priority: 11, narrow: 'meta', render: (row) => figure(row.cpi_cents, dollars) },
    chosen_count: { width: 84, priority: 9, narrow: 'hidden', render: (row) => figure(row.chosen_count, count) },
    answered_at: { width: 112, priority: 7, narrow: 'hidden' },
    projects_count: { width: 88, priority: 2, narrow: 'hidden' },
    proffers_count: { width: 92, priority: 3, narrow: 'hidden' },
    created_at: { width: 112, priority: 5, narrow: 'hidden' },
  })

const ANY = { value: '', label: 'all' } as const

const FILTERS = [{ name: 'filter', label: 'Show', options: [ANY, ...PARTNER_FILTERS] }]
const BULK: readonly CommandId[] = ['partner.invite', 'partner.editField', 'partner.remove']
const hrefOf = (row: Partner) => href('approve', {}, { query: { partner: row.id } })

/** Lists channel partners with their response rates and prices (screens-quote-flow.md). */
export default function PartnersPane() {
  const { id } = usePane()
  const cursor = paneStateOf(useAtomValue(paneStateAtom), id).list?.cursor ?? null
  const sameNames = useSameNames('partner')
  const columns = useMemo(() => columnsWith(sameNames), [sameNames])
  const list = useNounList('partner', {
    filters: { filter: '' },
    where: ({ filter }) => ({ filter: PARTNER_FILTERS.find((one) => one.value === filter)?.value ?? ('' as const) }),
  })
  return (
    <div className="@container flex h-full flex-col short:h-auto short:min-h-full">
      <div className="min-h-0 min-w-0 flex-1 short:flex-none">
        <ListScreen<Partner>
          {...list}
          title="Channel Partners"
          columns={columns}
          subjectOf={partnerSubject}
          hrefOf={hrefOf}
          filters={FILTERS}
          actions={['list.export', 'add.newPartner']}
          bulk={BULK}
          primary="partner.invite"
          empty={{ sentence: 'Add the partners who field your projects', command: 'add.newPartner' }}
        />
      </div>
      {cursor && <PartnerAnswers key={cursor.id} partner={cursor} />}
    </div>
  )
}
