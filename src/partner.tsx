import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { followAppearance } from './data/storedAppearance.ts'
import PartnerPane from './panes/partner/PartnerPane.tsx'
import { keepCompositions } from './ui/compositions.ts'
import './partner.css'

followAppearance()
keepCompositions()
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <PartnerPane />
  </StrictMode>,
)
