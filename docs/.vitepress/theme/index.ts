// Without its fonts: the site asks no other host, and shows the fonts that the reader has.
import DefaultTheme from 'vitepress/theme-without-fonts'
import './style.css'

export default DefaultTheme
