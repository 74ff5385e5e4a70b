import { useCallback, useMemo, useState } from 'react'
import type { Output } from '../../../../contract/calls.ts'
import { count, counted, dollars, percent, shortDate } from '../../../../contract/format.ts'
import { type Invitation, profferId, profferSubject } from '../../../commands/profferSubject.ts'
import { AnswerState } from '../../../data/AnswerState.tsx'
import { useCall } from '../../../data/useCall.ts'
import { type ShortColumn, ShortList } from '../../../list/ShortList.tsx'
import { CommandButton } from '../../../runner/CommandButton.tsx'
import { Pill } from '../../../ui/Pill.tsx'
import { EmptyState } from '../../../ui/States.tsx'
import { Disclosure, Facts } from '../Disclosure.tsx'
import { ChangedFields, termRows } from '../QuoteParts.tsx'
import { InvitationDialog } from './InvitationDialog.tsx'
import { type StepProps, stateOf } from './quoteSteps.ts'

type Partner = Output<'partner.listOlder'>['data']['data'][number]
/** A partner to invite, or already invited. */
interface Row {
  id: number
  name: string
  email: string
  /** Its figures of the last year; null once it was deleted. */
  partner: Partner | null
  /** Its invitation to this round. */
  invitation: Invitation | null
  /** Its latest project for this client. */
  work: { name: string; on: string } | null
}

/** Formats a usual response time: "5 h", "3 days". */
const duration = (hours: number): string =>
  hours < 1 ? 'under 1 h' : hours < 48 ? `${count(Math.round(hours))} h` : counted(Math.round(hours / 24), 'day')

const COLUMNS: readonly ShortColumn<Row>[] = [
  {
    id: 'name',
    header: 'Partner',
    min: 160,
    flex: 3,
    priority: 9,
    by: ({ name }) => name,
    render: ({ name, email }) => (
      <span className="flex min-w-0 items-baseline gap-2">
        <span dir="auto" className="truncate font-medium">
          {name}
        </span>
        {!email && <span className="shrink-0 text-meta text-muted">no email</span>}
      </span>
    ),
  },
  {
    id: 'state',
    header: 'Invited',
    width: 168,
    priority: 8,
    narrow: 'aside',
    by: ({ invitation }) => invitation?.invited_at ?? null,
    render: ({ invitation }) => {
      if (!invitation) return null
      const { tone, shape, words } = stateOf(invitation)
      return (
        <Pill tone={tone} shape={shape}>
          {words}
        </Pill>
      )
    },
  },
  {
    id: 'rate',
    header: 'Answers',
    width: 88,
    align: 'right',
    priority: 7,
    narrow: 'meta',
    by: ({ partner }) => partner?.answer_rate ?? null,
    render: ({ partner }) => (partner?.answer_rate == null ? null : percent(partner.answer_rate)),
  },
  {
    id: 'hours',
    header: 'Usually within',
    width: 116,
    align: 'right',
    priority: 5,
    narrow: 'meta',
    by: ({ partner }) => partner?.answer_hours ?? null,
    render: ({ partner }) => (partner?.answer_hours == null ? null : duration(partner.answer_hours)),
  },
  {
    id: 'cpi',
    header: 'Median CPI',
    width: 104,
    align: 'right',
    priority: 6,
    narrow: 'meta',
    by: ({ partner }) => partner?.cpi_cents ?? null,
    render: ({ partner }) => (partner?.cpi_cents == null ? null : dollars(partner.cpi_cents)),
  },
  {
    id: 'work',
    header: 'Last work for this client',
    min: 180,
    flex: 3,
    priority: 4,
    narrow: 'hidden',
    by: ({ work }) => work?.on ?? null,
    render: ({ work }) =>
      work && (
        <span className="flex min-w-0 items-baseline gap-2" title={work.name}>
          <span dir="auto" className="truncate">
            {work.name}
          </span>
          <span className="shrink-0 text-meta text-muted">{shortDate(work.on)}</span>
        </span>
      ),
  },
]

/** Why an invitation's commands don't apply to a partner that isn't invited. */
const NOT_INVITED = Object.fromEntries(
  ['invitation.remind', 'invitation.edit', 'invitation.link', 'invitation.revoke', 'proffer.enter', 'proffer.take'].map((id) => [
    id,
    'it isn’t invited to this round',
  ]),
)

/** The partners to choose from, invited ones first; in an older round only those who were invited. */
function rowsOf({ quote, round, current }: StepProps, partners: readonly Partner[]): Row[] {
  const work = new Map(quote.last_work.map((one) => [one.partner_id, one]))
  const known = new Map(partners.map((partner) => [partner.id, partner]))
  const invitedRows = round.invitations.map(
    (invitation): Row => ({
      id: invitation.partner_id,
      name: invitation.name,
      email: invitation.email,
      partner: known.get(invitation.partner_id) ?? null,
      invitation,
      work: work.get(invitation.partner_id) ?? null,
    }),
  )
  const invitedIds = new Set(round.invitations.map(({ partner_id }) => partner_id))
  const others = current ? partners.filter(({ id }) => !invitedIds.has(id)) : []
  return [
    ...invitedRows,
    ...others.map((partner): Row => {
      const { id, name, email } = partner
      return { id, name, email, partner, invitation: null, work: work.get(id) ?? null }
    }),
  ]
}

/** Shows what is requested, and which partners to invite. */
export function InviteStep(props: StepProps) {
  const { quote, round, current, subject } = props
  const answer = useCall('partner.listOlder', { search: '' })
  const partners = answer.data?.data.data
  const rows = useMemo(
    () => (partners ? rowsOf({ quote, round, current, subject }, partners) : []),
    [quote, round, current, subject, partners],
  )
  const [opened, setOpened] = useState<number | null>(null)
  const invitation = round.invitations.find(({ partner_id }) => partner_id === opened)
  const subjectOf = useCallback(
    (row: Row) =>
      row.invitation
        ? profferSubject(quote, row.invitation)
        : {
            kind: 'proffer' as const,
            id: profferId(quote.id, row.id),
            name: row.name,
            allowed_actions: [],
            refused_actions: NOT_INVITED,
            record: { partner_id: row.id, name: row.name, email: row.email, project_id: quote.id },
          },
    [quote],
  )
  const open = useCallback((row: Row) => row.invitation && setOpened(row.id), [])
  const canInvite = current && quote.allowed_actions.includes('project.assignPartner')
  return (
    <>
      <div className="px-4">
        <Disclosure title="Request" anchor="asked" folded={round.invitations.length > 0}>
          <Facts rows={termRows(quote.asked)} />
        </Disclosure>
        {round.changes.length > 0 && (
          <Disclosure title="What changed" anchor="changes" aside={`since round ${round.round - 1}`}>
            <ChangedFields changes={round.changes} />
          </Disclosure>
        )}
      </div>
      {current && round.invitations.length === 0 && quote.status === 'requirements' && (
        <p className="px-4 pt-3">Invite at least one partner</p>
      )}
      {partners ? (
        <ShortList<Row>
          title="Partners"
          nouns={['partner', 'partners']}
          rows={rows}
          columns={COLUMNS}
          subjectOf={subjectOf}
          textOf={({ name, email }) => `${name} ${email}`}
          onOpen={open}
          actions={canInvite ? ['project.invitePartners'] : []}
          empty={
            current ? (
              <EmptyState action={<CommandButton id="add.newPartner" variant="primary" />}>
                No partners yet. Add the partners who field your projects.
              </EmptyState>
            ) : (
              <EmptyState>No partners were invited to this round.</EmptyState>
            )
          }
        />
      ) : (
        <AnswerState answer={{ ...answer, data: undefined }} what="The partners" rows={6} />
      )}
      {invitation && <InvitationDialog quote={quote} round={round} invitation={invitation} onClose={() => setOpened(null)} />}
    </>
  )
}
