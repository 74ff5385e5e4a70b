import { useMemo } from 'react'
import type { Output } from '../../../contract/calls.ts'
import { MESSAGES } from '../../../contract/messages.ts'
import { POST_TYPES } from '../../../contract/vocabulary.ts'
import { api } from '../../data/apiClient.ts'
import { useCall } from '../../data/useCall.ts'
import { href } from '../../routing/routes.ts'
import { RadioGroup } from '../../ui/RadioGroup.tsx'
import { Skeleton } from '../../ui/States.tsx'
import { TextArea, TextInput } from '../../ui/TextInput.tsx'
import type { PaneProps } from '../../workspace/paneOf.tsx'
import type { KeptFile } from '../shared/form/drafts.ts'
import { FormField } from '../shared/form/FormField.tsx'
import type { FormRules } from '../shared/form/formRules.ts'
import { RecordForm } from '../shared/form/RecordForm.tsx'
import { useRecordForm } from '../shared/form/useRecordForm.ts'
import { RecordTrouble } from '../shared/RecordTrouble.tsx'
import { FileField, fieldOfOccasion, filesOf, OccasionAside } from './Occasion.tsx'

type Post = Output<'post.get'>['data']
interface PostDraft {
  content_type: string
  name: string
  description: string
  url: string
  files: KeptFile[]
}
const LABELS = { content_type: 'Category', name: 'Name', description: 'Description', url: 'URL', files: 'File' } as const

/** Keeps a photo or video post right: the older face of an activity (screens-projects.md, Update Post). */
export default function PostPane({ params }: PaneProps) {
  const id = Number(params.id)
  const { data, error, retry } = useCall('post.get', { id }, { fresh: true })
  if (error && !data)
    return (
      <RecordTrouble error={error} retry={retry} what={`Activity ${id}`} home={href('activities')} homeTitle="all activities" />
    )
  return data ? <PostForm post={data.data} /> : <Skeleton rows={8} />
}

function PostForm({ post }: { post: Post }) {
  const { id } = post
  const initial = useMemo<PostDraft>(
    () => ({
      content_type: post.content_type,
      name: post.name,
      description: post.description,
      url: post.url,
      files: filesOf(post.file),
    }),
    [post],
  )
  const rules = useMemo<FormRules<PostDraft>>(
    () => ({
      schema: async () => (await import('../../../contract/occasion.ts')).PostInput,
      input: ({ files, ...values }) => ({ id, ...values, file_id: files.at(-1)?.id ?? null }),
      fieldOf: fieldOfOccasion,
      also: ({ url, files }) => (url.trim() || files.length ? {} : { files: MESSAGES.selectAsset }),
    }),
    [id],
  )
  const form = useRecordForm<PostDraft>({
    form: 'post.edit',
    record: id,
    initial,
    lock: post.lock_version,
    labels: LABELS,
    rules,
    noun: 'post',
    files: 'files',
    async save({ patch, lock, attempt, values }) {
      const { data, message } = await api.write('post.edit', { id, ...patch, lock_version: lock }, { attempt })
      const leads = href('activity', { id }, { tab: 'details' })
      return { title: message, name: values.name, leads, lock: data.lock_version }
    },
  })
  const video = form.values.content_type === 'video'
  return (
    <RecordForm
      form={form}
      title={`Post: ${post.name}`}
      aside={<OccasionAside record={post} />}
      sections={[
        {
          id: 'post',
          title: 'Post',
          fields: ['content_type', 'name', 'description', 'url'],
          children: (
            <>
              <FormField control={form.control} name="content_type" label={LABELS.content_type} group wide required>
                {({ value, onChange }) => (
                  <RadioGroup value={value as 'photo' | 'video'} onChange={onChange} options={POST_TYPES} />
                )}
              </FormField>
              <FormField control={form.control} name="name" label={LABELS.name} required>
                {(bound) => <TextInput {...bound} maxLength={200} autoComplete="off" />}
              </FormField>
              <FormField control={form.control} name="url" label={LABELS.url} hint="Or add a file below.">
                {(bound) => <TextInput {...bound} inputMode="url" placeholder="https://" />}
              </FormField>
              <FormField control={form.control} name="description" label={LABELS.description} wide>
                {(bound) => <TextArea {...bound} rows={3} maxLength={10_000} />}
              </FormField>
            </>
          ),
        },
        {
          id: 'file',
          title: 'File',
          fields: ['files'],
          children: <FileField form={form} label={LABELS.files} video={video} stored={post.file} />,
        },
      ]}
    />
  )
}
