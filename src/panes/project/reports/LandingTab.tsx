import { useAtomValue } from 'jotai'
import { useEffect, useState } from 'react'
import { inputOf, labelsOf } from '../../../../contract/fieldKinds.ts'
import { type LandingValues, landingFields, landingValues } from '../../../../contract/landingFields.ts'
import { MESSAGES } from '../../../../contract/messages.ts'
import { type Channel, registerLanding } from '../../../commands/landingController.ts'
import { AnswerState } from '../../../data/AnswerState.tsx'
import { api } from '../../../data/apiClient.ts'
import { useCall } from '../../../data/useCall.ts'
import { href } from '../../../routing/routes.ts'
import { CommandButton } from '../../../runner/CommandButton.tsx'
import { TextInput } from '../../../ui/TextInput.tsx'
import { WebLink } from '../../../ui/WebLink.tsx'
import { usePane } from '../../../workspace/pane.tsx'
import { useController } from '../../../workspace/useController.ts'
import { FieldForm } from '../../shared/form/FieldForm.tsx'
import { useRecordForm } from '../../shared/form/useRecordForm.ts'
import { RunningProject } from '../../shared/RunningProject.tsx'
import { useRunningProject } from '../../shared/useRunningProject.ts'
import {
  CHANNEL_WORDS,
  CHANNELS,
  isRequired,
  type LandingRecord,
  landingRules,
  landingTypedAtom,
  showTyped,
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
        <PhonePreview key={channel} channel={channel} values={typed ?? landingValues(record)} />
      ))}
    </section>
  )
}

const textsOf = (values: LandingValues, from: Channel, to: Channel): Partial<LandingValues> => ({
  [`${to}_q1_text`]: values[`${from}_q1_text`],
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
    initial: landingValues(record),
    lock: record.lock_version,
    labels: labelsOf(landingFields),
    rules: landingRules,
    noun: 'landing page',
    review: (_values, changed) => running.review(changed),
    async save({ values, lock }) {
      const { data } = await api.write('landing.save', {
        cid: record.cid,
        ...inputOf(landingFields, values),
        lock_version: lock,
      })
      setReplaced(null)
      return { title: 'Landing Page Updated', name: data.project_name, lock: data.lock_version, leads: () => {} }
    },
    theirs: (theirs) => landingValues({ ...record, ...theirs }),
  })
  const { values } = form
  useEffect(() => showTyped(record.cid, values), [record.cid, values])
  const channel: Channel = query.channel === 'fulcrum' ? 'fulcrum' : 'facebook'

  useController(registerLanding, {
    active: () => active,
    copyChannel() {
      const to = otherOf(channel)
      setReplaced(textsOf(form.values, to, to))
      form.fill(textsOf(form.values, channel, to))
      return `Copied from ${CHANNEL_WORDS[channel]} to ${CHANNEL_WORDS[to]}`
    },
    undoCopy:
      replaced &&
      (() => {
        form.fill(replaced)
        setReplaced(null)
      }),
    surveyUrl: record.project_survey_url,
    useSurveyUrl: () => form.set('survey_url', record.project_survey_url),
    preview: href('project', { id: record.cid }, { tab: 'landingPage', query: { view: 'preview' } }),
  })
  const blank = form.faults.some(({ message }) => isRequired(message))
  const hintOf = (name: 'facebook_landing_url' | 'fulcrum_landing_url') => {
    const url = values[name].trim()
    return url && <WebLink url={url} className="break-all" />
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only tracks which channel has the focus
    <div
      onFocus={(event) => {
        const field = event.target.closest<HTMLElement>('[data-field]')?.dataset.field ?? ''
        const now = CHANNELS.find((one) => field.startsWith(one))
        if (now && now !== channel) setQuery({ channel: now === 'facebook' ? null : now })
      }}
    >
      <FieldForm
        form={form}
        fields={landingFields}
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
        hints={{
          facebook_landing_url: hintOf('facebook_landing_url') || undefined,
          fulcrum_landing_url: hintOf('fulcrum_landing_url') || undefined,
        }}
        controls={{
          survey_url: (bound) => (
            <span className="flex flex-wrap gap-1.5">
              <TextInput className="min-w-52 flex-1" placeholder="https://" {...bound} />
              {record.project_survey_url && values.survey_url !== record.project_survey_url && (
                <CommandButton id="landing.useSurveyUrl" plain>
                  Use the project’s
                </CommandButton>
              )}
            </span>
          ),
        }}
        sections={[
          { id: 'survey', title: 'Survey', fields: ['survey_url'] },
          { id: 'channels', title: 'Channels', fields: Object.keys(landingFields).slice(1), paired: true },
        ]}
        beside={CHANNELS.map((of) => <PhonePreview key={of} channel={of} values={values} />)}
      >
        {blank && (
          <p role="alert" className="mt-5 font-medium text-red-ink">
            {MESSAGES.landingRequired}
          </p>
        )}
        <RunningProject running={running} change={form.dirty ? form.changed : null} />
      </FieldForm>
    </div>
  )
}
