import { useMemo } from 'react'
import type { Output } from '../../../contract/calls.ts'
import { MESSAGES } from '../../../contract/messages.ts'
import { POST_TYPES } from '../../../contract/vocabulary.ts'
import { RadioGroup } from '../../ui/RadioGroup.tsx'
import { TextArea, TextInput } from '../../ui/TextInput.tsx'
import type { PaneProps } from '../../workspace/paneOf.tsx'
import type { KeptFile } from '../shared/form/drafts.ts'
import { FormField } from '../shared/form/FormField.tsx'
import { RecordForm } from '../shared/form/RecordForm.tsx'
import { FileField, OccasionAside, OccasionPane, useOccasionForm } from './Occasion.tsx'

type Post = Output<'post.get'>['data']
type PostDraft = { content_type: string; name: string; description: string; url: string; files: KeptFile[] }
const LABELS = { content_type: 'Category', name: 'Name', description: 'Description', url: 'URL', files: 'File' } as const

/** Edits a photo or video post, the older representation of an activity (screens-projects.md, Update Post). */
export default function PostPane({ params }: PaneProps) {
  return <OccasionPane occasion="post" id={Number(params.id)} form={PostForm} />
}

function PostForm({ record: post }: { record: Post }) {
  const { content_type, name, description, url } = post
  const draft = useMemo(() => ({ content_type, name, description, url }), [content_type, name, description, url])
  const form = useOccasionForm<PostDraft>({
    occasion: 'post',
    record: post,
    draft,
    labels: LABELS,
    noun: 'post',
    schema: async () => (await import('../../../contract/occasion.ts')).PostInput,
    also: ({ url, files }) => (url.trim() || files.length ? {} : { files: MESSAGES.selectAsset }),
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
