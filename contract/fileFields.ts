import { field, pick } from './fieldKinds.ts'
import { MESSAGES } from './messages.ts'
import { ASSET_FILES, ASSET_TYPES } from './vocabulary.ts'

/** What files may be added to a project. */
export const ANY_FILE = 'Images, audio, video and documents, each under 10 MB.'
/** The fields of an asset: an uploaded file of a project, what it is for, and a description. */
export const assetFields = {
  file_id: field.file('File', { required: MESSAGES.assetMissing, named: 'original_name', types: ASSET_FILES }),
  asset_type: field.choice('Asset type', {
    required: MESSAGES.assetType,
    menu: true,
    options: ASSET_TYPES.map((type) => ({ value: type, label: type })),
    placeholder: 'Choose a type',
  }),
  description: field.text('Description', { max: 1000, usual: '' }),
}
/** What can change about a file. */
export const fileFields = pick(assetFields, 'description')
