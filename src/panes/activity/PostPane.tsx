import type { Output } from '../../../contract/calls.ts'
import { MESSAGES } from '../../../contract/messages.ts'
import { postFields } from '../../../contract/occasionFields.ts'
import type { PaneProps } from '../../workspace/paneOf.tsx'
import { FieldForm } from '../shared/form/FieldForm.tsx'
import { OccasionAside, OccasionPane, PictureControl, useOccasionForm } from './Occasion.tsx'

type Post = Output<'post.get'>['data']
/** Edits a photo or video post, the older representation of an activity (screens-projects.md, Update Post). */
export default function PostPane({ params }: PaneProps) {
  return <OccasionPane occasion="post" id={Number(params.id)} form={PostForm} />
}

function PostForm({ record: post }: { record: Post }) {
  const form = useOccasionForm('post', postFields, post, {
    also: ({ url, file_id }) => (url.trim() || file_id.length ? {} : { file_id: MESSAGES.selectAsset }),
  })
  return (
    <FieldForm
      form={form}
      fields={postFields}
      title={`Post: ${post.name}`}
      aside={<OccasionAside record={post} />}
      needs={['content_type']}
      controls={{
        file_id: ({ value }) => (
          <PictureControl form={form} types={postFields.file_id.types(form.values)} stored={post.file} files={value} />
        ),
      }}
      sections={[
        { id: 'post', title: 'Post', fields: ['content_type', 'name', 'url', 'description'] },
        { id: 'file', title: 'File', fields: ['file_id'] },
      ]}
    />
  )
}
