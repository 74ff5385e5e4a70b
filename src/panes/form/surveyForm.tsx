import type { ReactNode } from 'react'
import { MESSAGES } from '../../../contract/messages.ts'
import { DATA_MAP_FILES } from '../../../contract/vocabulary.ts'
import { FileDrop } from '../../ui/FileDrop.tsx'
import { NumberInput, TextInput } from '../../ui/TextInput.tsx'
import type { KeptFile } from '../shared/form/drafts.ts'
import { FormField } from '../shared/form/FormField.tsx'
import type { FieldErrors } from '../shared/form/formRules.ts'
import type { RecordSection } from '../shared/form/RecordForm.tsx'
import type { RecordFormState } from '../shared/form/useRecordForm.ts'
import { acceptOf } from '../shared/form/useUploads.ts'

/** Survey fields shared by its forms. */
export interface SurveyValues {
  name: string
  survey_link: string
  survey_vendor: string
  vendor_survey_id: string
  questions_count: string
  /** The file that questions are imported from: none or one. */
  source: KeptFile[]
}
export const SURVEY_LABELS = {
  name: 'Name',
  survey_link: 'Survey link',
  source: 'File',
  survey_vendor: 'Vendor',
  vendor_survey_id: 'Survey ID',
  questions_count: 'Questions',
} as const satisfies Readonly<Record<keyof SurveyValues, string>>

/** File types of a question source. */
const SOURCE_FILES = [...DATA_MAP_FILES, 'xls', 'pdf', 'doc', 'docx'] as const

/** Converts the shared fields to the call's input. */
export const surveyInput = ({ source, questions_count, ...fields }: SurveyValues) => ({
  ...fields,
  source_file_id: source.at(-1)?.id ?? null,
  ...(questions_count === '' ? {} : { questions_count: Number(questions_count) }),
})
/** Maps an API field name to the form's field. */
export const surveyField = (name: string): string => (name === 'source_file_id' ? 'source' : name)

/** Rules beyond the schema: a link or a file, a question count, and an ID if there is a vendor (people-area 5). */
export function surveyFaults(values: SurveyValues, counted: boolean): FieldErrors<SurveyValues> {
  const { survey_link, source, survey_vendor, vendor_survey_id, questions_count } = values
  const bare = !survey_link.trim() && source.length === 0
  return {
    ...(bare ? { survey_link: MESSAGES.surveyLink, source: MESSAGES.surveyFileOrUrl } : {}),
    ...(survey_vendor.trim() && !vendor_survey_id.trim() ? { vendor_survey_id: MESSAGES.surveyId } : {}),
    ...(questions_count === '' && source.length === 0 && !counted ? { questions_count: MESSAGES.surveyQuestions } : {}),
  }
}

/** The survey section; `counted` is a known number of questions, which replaces the field for it. */
export function surveySection<V extends SurveyValues>(
  form: RecordFormState<V>,
  { counted = 0, title = 'Survey' }: { counted?: number; title?: ReactNode & string } = {},
): RecordSection<V> {
  const { control } = form as unknown as RecordFormState<SurveyValues>
  const { source } = form.values
  return {
    id: 'survey',
    title,
    fields: ['name', 'survey_link', 'source', 'survey_vendor', 'vendor_survey_id', 'questions_count'],
    children: (
      <>
        <FormField control={control} name="name" label={SURVEY_LABELS.name} required wide>
          {(bound) => <TextInput {...bound} maxLength={200} autoComplete="off" />}
        </FormField>
        <FormField
          control={control}
          name="survey_link"
          label={SURVEY_LABELS.survey_link}
          required={source.length === 0}
          wide
          hint="Where respondents take it. A file works too."
        >
          {(bound) => <TextInput {...bound} type="url" maxLength={2000} autoComplete="off" placeholder="https://" />}
        </FormField>
        <FormField control={control} name="source" label={SURVEY_LABELS.source} group wide>
          {() => (
            <FileDrop
              files={form.uploads.files}
              multiple={false}
              onAdd={(files) => {
                for (const { id } of form.uploads.files) form.uploads.remove(id)
                form.uploads.add(files, SOURCE_FILES, SOURCE_FILES)
              }}
              onRemove={form.uploads.remove}
              onRetry={form.uploads.retry}
              accept={acceptOf(SOURCE_FILES)}
              hint="A data map (CSV, XLSX or JSON) fills in the questions; a document (pdf, doc, docx) is kept. Under 10 MB."
            />
          )}
        </FormField>
        <FormField control={control} name="survey_vendor" label={SURVEY_LABELS.survey_vendor}>
          {(bound) => <TextInput {...bound} maxLength={100} />}
        </FormField>
        <FormField
          control={control}
          name="vendor_survey_id"
          label={SURVEY_LABELS.vendor_survey_id}
          required={form.values.survey_vendor.trim() !== ''}
          hint="The vendor’s own ID."
        >
          {(bound) => <TextInput {...bound} maxLength={200} autoComplete="off" />}
        </FormField>
        <FormField
          control={control}
          name="questions_count"
          label={SURVEY_LABELS.questions_count}
          required={!counted}
          hint={
            counted ? 'Counted from its questions.' : 'The number of questions. Counted automatically once you add them here.'
          }
        >
          {(bound) => <NumberInput {...bound} disabled={counted > 0} />}
        </FormField>
      </>
    ),
  }
}
