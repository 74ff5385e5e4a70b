import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { followLook } from './data/look.ts'
import PartnerPane from './panes/partner/PartnerPane.tsx'
import './partner.css'

followLook()
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <PartnerPane />
  </StrictMode>,
)
