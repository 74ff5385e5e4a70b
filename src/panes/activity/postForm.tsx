import { MESSAGES } from '../../../contract/messages.ts'
import { postFields } from '../../../contract/occasionFields.ts'
import { type EditForm, editPane } from '../shared/form/declaredForm.tsx'
import { OccasionAside, PictureControl } from './Occasion.tsx'

/** A photo or video post, the older representation of an activity (screens-projects.md, Update Post). */
const form: EditForm<'post', typeof postFields> = {
  noun: 'post',
  fields: postFields,
  useSpecial: (post) => ({
    form: { also: ({ url, file_id }) => (url.trim() || file_id.length ? {} : { file_id: MESSAGES.assetMissing }) },
    title: `Post: ${post.name}`,
    aside: <OccasionAside record={post} />,
    needs: ['content_type'],
    useDrawn: (drawn) => ({
      controls: {
        file_id: ({ value }) => (
          <PictureControl form={drawn} types={postFields.file_id.types(drawn.values)} stored={post.file} files={value} />
        ),
      },
    }),
    sections: [
      { id: 'post', title: 'Post', fields: ['content_type', 'name', 'url', 'description'] },
      { id: 'file', title: 'File', fields: ['file_id'] },
    ],
  }),
}
export const pane = editPane(form)
