import { useEffect, useRef, useState } from 'react'
import type { Output } from '../../../contract/calls.ts'
import { type Field as FieldOfRecord, faultsOf, inputOf, textsOf, type ValuesOf } from '../../../contract/fieldKinds.ts'
import { count, counted, fileSize, longDate } from '../../../contract/format.ts'
import { type OrganizationField, organizationFields } from '../../../contract/organizationFields.ts'
import { AnswerState } from '../../data/AnswerState.tsx'
import { ApiError } from '../../data/api.ts'
import { api } from '../../data/apiClient.ts'
import { moment } from '../../data/format.ts'
import { readConfig } from '../../data/session.ts'
import { useCall } from '../../data/useCall.ts'
import { href } from '../../routing/routes.ts'
import { CommandButton } from '../../runner/CommandButton.tsx'
import { toast } from '../../runner/toast.tsx'
import { post } from '../../runner/undo.ts'
import { useKeys } from '../../runner/useCommands.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Mark } from '../../ui/Pill.tsx'
import { Switch } from '../../ui/Switch.tsx'
import { usePane, usePaneForm } from '../../workspace/pane.tsx'
import { FieldControl } from '../shared/form/FieldControl.tsx'
import { useSmallForm } from '../shared/form/useSmallForm.ts'
import { SettingsSection } from '../shared/SettingsSection.tsx'
import { LetterPreview, TestMail } from './OrganizationMail.tsx'

type Organization = Output<'organization.get'>['data']
type Values = ValuesOf<typeof organizationFields>

const OF_MAIL = ['support_mail', 'sender_name', 'sender_mail', 'reply_to', 'mail_footer'] as const
const PLAIN = ['name', 'product', 'support_team'] as const
/** How long the flag beside Save shows, in ms (people-area 8). */
const FLAG_MS = 3000
const QUOTES = ['usual_margin', 'margin_floor', 'answer_days', 'valid_days'] as const
const AGEING = ['invite_days', 'answers_days', 'quoted_days'] as const
const VISITS = ['visits_keep_months', 'visits_silence_days', 'visits_timeout_seconds'] as const
const ALL = Object.keys(organizationFields) as OrganizationField[]

const RETENTION = [
  ['Undo', '1 day'],
  ['Response corrections', '30 days'],
  ['Invitation and request links', '14 days'],
  ['Sign-ins', '2 weeks'],
] as const
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

const toNotChosen = organizationFields.tell_not_chosen
const valuesOf = (organization: Organization): Values => textsOf(organizationFields, organization)
const check = (values: Values) => faultsOf(organizationFields, values)

/** Edits the organization's names and its quote settings (screens-quote-flow.md). */
export default function OrganizationPane() {
  const answer = useCall('organization.get', {})
  const organization = answer.data?.data
  return (
    <div className="@container">
      <h1 className="px-4 pt-3.5 text-head">Organization Settings</h1>
      <AnswerState answer={answer} what="The settings" rows={8} empty={null} />
      {answer.error && !organization && (
        <p className="px-4">
          <a href={href('locations')} className="text-accent-ink underline">
            Go to Locations
          </a>
        </p>
      )}
      {organization && <Settings organization={organization} again={answer.retry} />}
    </div>
  )
}

function Settings({ organization, again }: { organization: Organization; again: () => void }) {
  const { setDirty } = usePane()
  const keys = useKeys()
  const loaded = useRef(valuesOf(organization))
  const [flag, setFlag] = useState(0)
  useEffect(() => {
    if (!flag) return
    const over = setTimeout(() => setFlag(0), FLAG_MS)
    return () => clearTimeout(over)
  }, [flag])
  const { bind, values, set, errors, busy, serverError, form, reset, dirty } = useSmallForm<Values>({
    initial: loaded.current,
    check,
    async send(typed) {
      const changed = ALL.filter((name) => typed[name] !== loaded.current[name])
      const steps: number[] = []
      try {
        const { data, message } = await api.write(
          'organization.edit',
          { ...inputOf(organizationFields, typed, changed), lock_version: organization.lock_version },
          { undoable: (id) => void steps.push(id) },
        )
        loaded.current = valuesOf(data)
        reset(loaded.current)
        setFlag((count) => count + 1)
        const undo = post({ title: 'Change organization settings', subjects: [] }, { steps })
        void toast(message, { tone: 'good', id: undo.toast, action: { label: 'Undo', run: undo.undo } })
        // The header and messages show these names.
        void readConfig()
      } catch (error) {
        if (error instanceof ApiError && error.code === 'stale') again()
        throw error
      }
    },
  })
  const both = useFollowing(organization, loaded, values, set, reset)
  useEffect(() => setDirty(dirty), [dirty, setDirty])
  useEffect(() => () => setDirty(false), [setDirty])
  usePaneForm({ send: () => form.ref.current?.requestSubmit(), discard: () => reset(loaded.current) })
  const drawn = (name: OrganizationField) => {
    const field: FieldOfRecord = organizationFields[name]
    return (
      <Field
        key={name}
        label={field.label}
        required={Boolean(field.required)}
        hint={String(field.hint)}
        error={errors[name] ?? null}
      >
        <FieldControl field={field} {...bind(name)} />
      </Field>
    )
  }
  const how =
    organization.mail === 'smtp'
      ? `Sent by the mail server ${organization.mail_host}.`
      : 'No mail server: emails are kept in the Outbox.'
  const serverAbout = (
    <>
      Set at server start.{' '}
      <a href={href('health')} className="text-accent-ink underline">
        System health
      </a>
    </>
  )
  return (
    <form {...form} aria-label="Organization settings">
      <SettingsSection title="Names" about="Shown in emails, the header and messages.">
        <div className="grid gap-4 @lg:grid-cols-2">{PLAIN.map(drawn)}</div>
      </SettingsSection>
      <SettingsSection title="Email" about={how}>
        <div className="grid gap-6 @3xl:grid-cols-2">
          <div className="grid content-start gap-4">
            {OF_MAIL.map(drawn)}
            <TestMail dirty={dirty} />
          </div>
          <LetterPreview mail={values} />
        </div>
      </SettingsSection>
      <SettingsSection title="Quotes" about="Defaults for new quotes. Each quote can differ.">
        <div className="grid gap-4 @lg:grid-cols-2">
          {QUOTES.map(drawn)}
          <div className="@lg:col-span-2">
            <Switch checked={values.tell_not_chosen === 'yes'} onChange={(on) => set('tell_not_chosen', on ? 'yes' : 'no')}>
              {toNotChosen.label}
            </Switch>
            <p className="mt-1 text-meta text-faint">{toNotChosen.hint}</p>
          </div>
        </div>
      </SettingsSection>
      <SettingsSection title="Ageing" about="Requests that wait longer at a step turn red.">
        <div className="grid gap-4 @lg:grid-cols-2">{AGEING.map(drawn)}</div>
      </SettingsSection>
      <SettingsSection title="Visitation" about="How long visits are kept, and when a service or a figure takes too long.">
        <div className="grid gap-4 @lg:grid-cols-2">{VISITS.map(drawn)}</div>
        <KeptVisits />
        <CommandButton id="visit.rebuild" className="mt-4" />
      </SettingsSection>
      <SettingsSection title="Server" about={serverAbout}>
        <dl className="grid gap-4 @lg:grid-cols-2">
          <Fact label="Address" setting="PUBLIC_URL" value={organization.public_url} />
          <Fact label="Time zone" setting="TIME_ZONE" value={organization.time_zone} />
          <Fact label="Email" setting="SMTP_URL" value={how.replace(/\.$/, '')} />
          <Fact label="Map" setting="MAP_STYLE_URL" value={organization.map_style_url ?? 'Built-in: states and counties'} />
          <Fact label="Analytics" setting="ANALYTICS" value={organization.analytics ? 'Written to the log' : 'Off'} />
        </dl>
      </SettingsSection>
      <SettingsSection title="Limits" about="Limits per person. Set at server start, in LIMITS.">
        <dl className="grid gap-x-6 gap-y-3 @lg:grid-cols-2 @3xl:grid-cols-3">
          {organization.limits.map(({ name, about, value }) => (
            <Fact key={name} label={capital(about)} setting={name} value={count(value)} />
          ))}
        </dl>
      </SettingsSection>
      <SettingsSection
        title="Retention"
        about="How long data is kept. These are fixed; System health lists those that are set at server start."
      >
        <dl className="grid gap-x-6 gap-y-3 @lg:grid-cols-2 @3xl:grid-cols-3">
          {RETENTION.map(([label, value]) => (
            <Fact key={label} label={label} value={value} />
          ))}
        </dl>
      </SettingsSection>
      <div className="sticky bottom-0 flex flex-wrap items-center gap-3 border-t border-line bg-surface px-4 py-3">
        <Button
          type="submit"
          variant={dirty ? 'primary' : 'default'}
          busy={busy}
          reason={dirty ? null : 'no changes yet'}
          data-command="form.send"
          kbd={keys('form.send') ?? undefined}
        >
          Save settings
        </Button>
        <p role="status" className="text-green-ink">
          {flag > 0 && !dirty && (
            <span className="flex items-baseline gap-1.5">
              <Mark shape="tick" />
              Saved
            </span>
          )}
        </p>
        {both.length > 0 && (
          <p role="status" className="flex items-baseline gap-1.5 text-amber-ink">
            <Mark shape="triangle" />
            {both.map((name) => `${organizationFields[name].label} is now ${loaded.current[name]}.`).join(' ')} Saving replaces
            it.
          </p>
        )}
        {serverError && (
          <p role="alert" className="flex items-baseline gap-1.5 text-red-ink">
            <Mark shape="cross" />
            {serverError.message}
          </p>
        )}
      </div>
    </form>
  )
}

/** Updates untouched fields when others save; returns the fields that both sides changed. */
function useFollowing(
  organization: Organization,
  loaded: { current: Values },
  values: Values,
  set: (name: OrganizationField, value: string) => void,
  reset: (values: Values) => void,
): readonly OrganizationField[] {
  const both = useRef<readonly OrganizationField[]>([])
  const now = useRef({ values, set, reset })
  now.current = { values, set, reset }
  const version = organization.lock_version
  const arrived = useRef(organization)
  arrived.current = organization
  // biome-ignore lint/correctness/useExhaustiveDependencies: new values come with a new version
  useEffect(() => {
    const [before, next] = [loaded.current, valuesOf(arrived.current)]
    const { values, set, reset } = now.current
    const typed = ALL.filter((name) => values[name] !== before[name])
    loaded.current = next
    both.current = typed.filter((name) => next[name] !== before[name] && next[name] !== values[name])
    reset(next)
    for (const name of typed) set(name, values[name])
  }, [version])
  return both.current.filter((name) => values[name] !== loaded.current[name])
}

/** Shows what is stored of visits: count, period, pending roll-ups and disk space. */
function KeptVisits() {
  const answer = useCall('visit.state', {})
  const state = answer.data?.data
  if (!state) return <AnswerState answer={answer} what="The visit statistics" rows={2} empty={null} />
  return (
    <dl className="mt-5 grid gap-x-6 gap-y-3 @lg:grid-cols-2">
      <Fact label="Visits counted" value={count(state.visits)} />
      <Fact label="Last visit" value={state.last_visit_at ? moment(state.last_visit_at) : 'None yet'} />
      {state.shortened && (
        <div className="@lg:col-span-2">
          <p className="flex items-baseline gap-1.5 text-amber-ink">
            <Mark shape="triangle" />
            Raw visits before {longDate(state.shortened.drops_before)} will be deleted from {moment(state.shortened.from)} on. To
            keep them, restore the number of months.
          </p>
        </div>
      )}
      <Fact label="Closed before" value={state.closed_before ? longDate(state.closed_before) : 'Nothing is deleted yet'} />
      <Fact
        label="Roll-ups"
        value={[
          state.waiting_days ? `${counted(state.waiting_days, 'service day')} waiting` : 'Up to date',
          ...(state.rolled_at ? [`last updated ${moment(state.rolled_at)}`] : []),
        ].join(', ')}
      />
      {state.tables.map(({ name, about, bytes }) => (
        <Fact key={name} label={about} value={bytes === null ? 'Not measured (large file)' : fileSize(bytes)} />
      ))}
    </dl>
  )
}

function Fact({ label, setting, value }: { label: string; setting?: string; value: string }) {
  return (
    <div>
      <dt className="text-meta font-medium text-muted">{label}</dt>
      <dd className="break-words">{value}</dd>
      {setting && <dd className="font-mono text-meta text-faint">{setting}</dd>}
    </div>
  )
}
