import { useAtomValue } from 'jotai'
import { useEffect, useRef, useState } from 'react'
import { MESSAGES } from '../../../../contract/messages.ts'
import { type Channel, registerLanding } from '../../../commands/landingController.ts'
import { AnswerState } from '../../../data/AnswerState.tsx'
import { api } from '../../../data/apiClient.ts'
import { useCall } from '../../../data/useCall.ts'
import { href } from '../../../routing/routes.ts'
import { CommandButton } from '../../../runner/CommandButton.tsx'
import { TextArea, TextInput } from '../../../ui/TextInput.tsx'
import { WebLink } from '../../../ui/WebLink.tsx'
import { usePane } from '../../../workspace/pane.tsx'
import { FormField } from '../../shared/form/FormField.tsx'
import { RecordForm } from '../../shared/form/RecordForm.tsx'
import { useRecordForm } from '../../shared/form/useRecordForm.ts'
import { RunningProject } from '../../shared/RunningProject.tsx'
import { useRunningProject } from '../../shared/useRunningProject.ts'
import {
  CHANNEL_WORDS,
  CHANNELS,
  isRequired,
  LANDING_LABELS,
  type LandingRecord,
  type LandingValues,
  landingRules,
  landingTypedAtom,
  showTyped,
  valuesOfLanding,
} from './landingForm.ts'
import { PhonePreview } from './PhonePreview.tsx'

/** Edits a project's landing page texts for both channels, with previews (screens-projects.md, Landing page). */
export function LandingTab({ project }: { project: { id: number } }) {
  const { query } = usePane()
  const answer = useCall('landing.get', { cid: project.id }, { fresh: true })
  const record = answer.data?.data
  if (!record)
    return (
      <section aria-label="Landing page">
        <AnswerState answer={answer} what="The landing page" rows={8} />
      </section>
    )
  return query.view === 'preview' ? <Previews record={record} /> : <LandingForm key={record.cid} record={record} />
}

/** Only the two previews, which follow what is typed in another pane. */
function Previews({ record }: { record: LandingRecord }) {
  const typed = useAtomValue(landingTypedAtom)[record.cid]
  return (
    <section aria-label="Landing page preview" className="flex flex-wrap gap-6 px-4 py-4">
      {CHANNELS.map((channel) => (
        <PhonePreview key={channel} channel={channel} values={typed ?? valuesOfLanding(record)} />
      ))}
    </section>
  )
}

const textsOf = (values: LandingValues, from: Channel, to: Channel): Partial<LandingValues> => ({
  [`${to}_question`]: values[`${from}_question`],
  [`${to}_disqualify_text`]: values[`${from}_disqualify_text`],
})
const otherOf = (channel: Channel): Channel => (channel === 'facebook' ? 'fulcrum' : 'facebook')
const EFFECT = ['People who arrive from now on see the new text.']

function LandingForm({ record }: { record: LandingRecord }) {
  const { active, query, setQuery } = usePane()
  const [replaced, setReplaced] = useState<Partial<LandingValues> | null>(null)
  const running = useRunningProject<readonly string[]>(record.cid, () => EFFECT)
  const form = useRecordForm<LandingValues>({
    form: 'landing',
    record: record.cid,
    initial: valuesOfLanding(record),
    lock: record.lock_version,
    labels: LANDING_LABELS,
    rules: landingRules,
    noun: 'landing page',
    review: (_values, changed) => running.review(changed),
    async save({ values, lock }) {
      const { facebook_question, fulcrum_question, ...texts } = values
      const { data } = await api.write('landing.save', {
        cid: record.cid,
        ...texts,
        facebook_q1_text: { question: facebook_question },
        fulcrum_q1_text: { question: fulcrum_question },
        lock_version: lock,
      })
      setReplaced(null)
      return { title: 'Landing Page Updated', name: data.project_name, lock: data.lock_version, leads: () => {} }
    },
    theirs: (theirs, base) => ({ ...base, ...valuesOfTheirs(theirs) }),
  })
  const { values } = form
  useEffect(() => showTyped(record.cid, values), [record.cid, values])
  const channel: Channel = query.channel === 'fulcrum' ? 'fulcrum' : 'facebook'

  const latest = useRef({ active, form, channel, replaced, record })
  latest.current = { active, form, channel, replaced, record }
  useEffect(
    () =>
      registerLanding({
        active: () => latest.current.active,
        copyChannel() {
          const { form, channel } = latest.current
          const to = otherOf(channel)
          setReplaced(textsOf(form.values, to, to))
          form.fill(textsOf(form.values, channel, to))
          return `Copied from ${CHANNEL_WORDS[channel]} to ${CHANNEL_WORDS[to]}`
        },
        get undoCopy() {
          const { form, replaced } = latest.current
          if (!replaced) return null
          return () => {
            form.fill(replaced)
            setReplaced(null)
          }
        },
        get surveyUrl() {
          return latest.current.record.project_survey_url
        },
        useSurveyUrl: () => latest.current.form.set('survey_url', latest.current.record.project_survey_url),
        get preview() {
          return href('project', { id: latest.current.record.cid }, { tab: 'landingPage', query: { view: 'preview' } })
        },
      }),
    [],
  )
  const blank = form.faults.some(({ message }) => isRequired(message))
  const text = (of: Channel, what: 'question' | 'disqualify_text') => (
    <FormField
      key={`${of}_${what}`}
      control={form.control}
      name={`${of}_${what}`}
      label={LANDING_LABELS[`${of}_${what}`]}
      required
    >
      {(bound) => <TextArea rows={3} {...bound} />}
    </FormField>
  )
  const link = (of: Channel) => (
    <FormField
      key={`${of}_landing_url`}
      control={form.control}
      name={`${of}_landing_url`}
      label={LANDING_LABELS[`${of}_landing_url`]}
      hint={
        values[`${of}_landing_url`].trim() ? (
          <WebLink url={values[`${of}_landing_url`].trim()} className="break-all" />
        ) : (
          'Optional, where the channel sends people'
        )
      }
    >
      {(bound) => <TextInput placeholder="https://" {...bound} />}
    </FormField>
  )
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only tracks which channel has the focus
    <div
      onFocus={(event) => {
        const field = event.target.closest<HTMLElement>('[data-field]')?.dataset.field ?? ''
        const now = CHANNELS.find((one) => field.startsWith(one))
        if (now && now !== channel) setQuery({ channel: now === 'facebook' ? null : now })
      }}
    >
      <RecordForm
        form={form}
        title="Landing page"
        actions={
          <>
            {replaced && <CommandButton id="landing.undoCopy" variant="ghost" plain />}
            <CommandButton id="landing.copyChannel" plain>
              {`Copy to ${CHANNEL_WORDS[otherOf(channel)]}`}
            </CommandButton>
            <CommandButton id="landing.preview" plain />
          </>
        }
        sections={[
          {
            id: 'survey',
            title: 'Survey',
            fields: ['survey_url'],
            children: (
              <FormField control={form.control} name="survey_url" label={LANDING_LABELS.survey_url} required wide>
                {(bound) => (
                  <span className="flex flex-wrap gap-1.5">
                    <TextInput className="min-w-52 flex-1" placeholder="https://" {...bound} />
                    {record.project_survey_url && values.survey_url !== record.project_survey_url && (
                      <CommandButton id="landing.useSurveyUrl" plain>
                        Use the project’s
                      </CommandButton>
                    )}
                  </span>
                )}
              </FormField>
            ),
          },
          {
            id: 'channels',
            title: 'Channels',
            fields: CHANNELS.flatMap((of) => [`${of}_question`, `${of}_disqualify_text`, `${of}_landing_url`] as const),
            children: (
              <>
                {CHANNELS.map((of) => text(of, 'question'))}
                {CHANNELS.map((of) => text(of, 'disqualify_text'))}
                {CHANNELS.map(link)}
              </>
            ),
          },
        ]}
        beside={CHANNELS.map((of) => <PhonePreview key={of} channel={of} values={values} />)}
      >
        {blank && (
          <p role="alert" className="mt-5 font-medium text-red-ink">
            {MESSAGES.landingRequired}
          </p>
        )}
        <RunningProject running={running} change={form.dirty ? form.changed : null} />
      </RecordForm>
    </div>
  )
}

/** Converts the other version in a 409 response to the form's field names. */
function valuesOfTheirs(theirs: Readonly<Record<string, unknown>>): Partial<LandingValues> {
  const entries = Object.keys(LANDING_LABELS).flatMap((field) => {
    const nested = theirs[field.replace('_question', '_q1_text')]
    const value = nested && typeof nested === 'object' ? (nested as { question?: unknown }).question : (theirs[field] ?? nested)
    return typeof value === 'string' ? [[field, value]] : []
  })
  return Object.fromEntries(entries) as Partial<LandingValues>
}
