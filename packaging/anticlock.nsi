; The installer for Windows: for one user, without an administrator's rights. `cargo xtask release` gives VERSION, STAGED (the folder that
; the archive is packed from), ICON and OUT. Saved states and settings stay when the program is removed.
Target amd64-unicode
Unicode true
!include MUI2.nsh

Name "Anticlock"
OutFile "${OUT}"
InstallDir "$LOCALAPPDATA\Programs\Anticlock"
InstallDirRegKey HKCU "Software\Anticlock" "Folder"
RequestExecutionLevel user
SetCompressor /SOLID lzma
VIProductVersion "${VERSION}.0"
VIAddVersionKey "ProductName" "Anticlock"
VIAddVersionKey "FileDescription" "Anticlock Setup"
VIAddVersionKey "FileVersion" "${VERSION}"
VIAddVersionKey "ProductVersion" "${VERSION}"
VIAddVersionKey "CompanyName" "The Anticlock developers"
VIAddVersionKey "LegalCopyright" "The Anticlock developers; MIT or Apache-2.0"

!define MUI_ICON "${ICON}"
!define MUI_UNICON "${ICON}"
!define MUI_FINISHPAGE_RUN "$INSTDIR\anticlock.exe"
!define MUI_FINISHPAGE_RUN_TEXT "Open the menu of games"
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"

!define CLASSES "Software\Classes"
!define FILE_TYPE "Anticlock.File"
!define REMOVAL "Software\Microsoft\Windows\CurrentVersion\Uninstall\Anticlock"

; "Open with" offers the program for this ending; a double click opens it where no other program has the ending.
!macro Offer ENDING
  WriteRegStr HKCU "${CLASSES}\${ENDING}\OpenWithProgids" "${FILE_TYPE}" ""
  ReadRegStr $0 HKCR "${ENDING}" ""
  StrCmp $0 "" 0 +2
  WriteRegStr HKCU "${CLASSES}\${ENDING}" "" "${FILE_TYPE}"
!macroend

!macro un.Offer ENDING
  DeleteRegValue HKCU "${CLASSES}\${ENDING}\OpenWithProgids" "${FILE_TYPE}"
  DeleteRegKey /ifempty HKCU "${CLASSES}\${ENDING}\OpenWithProgids"
  ReadRegStr $0 HKCU "${CLASSES}\${ENDING}" ""
  StrCmp $0 "${FILE_TYPE}" 0 +2
  DeleteRegValue HKCU "${CLASSES}\${ENDING}" ""
  DeleteRegKey /ifempty HKCU "${CLASSES}\${ENDING}"
!macroend

!macro Desktop
  ; The desktop reads the types of files again.
  System::Call "shell32::SHChangeNotify(i 0x8000000, i 0, p 0, p 0)"
!macroend

Section
  SetOutPath "$INSTDIR"
  File "${STAGED}/anticlock.exe"
  File "${STAGED}/manual.md"
  File "${STAGED}/CHANGELOG.md"
  File "${STAGED}/LICENSE-MIT"
  File "${STAGED}/LICENSE-APACHE"
  WriteUninstaller "$INSTDIR\uninstall.exe"
  CreateShortcut "$SMPROGRAMS\Anticlock.lnk" "$INSTDIR\anticlock.exe"
  WriteRegStr HKCU "Software\Anticlock" "Folder" "$INSTDIR"
  WriteRegStr HKCU "${CLASSES}\${FILE_TYPE}" "" "Atari program, disk or tape"
  WriteRegStr HKCU "${CLASSES}\${FILE_TYPE}\DefaultIcon" "" "$INSTDIR\anticlock.exe,0"
  WriteRegStr HKCU "${CLASSES}\${FILE_TYPE}\shell\open\command" "" '"$INSTDIR\anticlock.exe" "%1"'
  !insertmacro Offer ".atr"
  !insertmacro Offer ".xex"
  !insertmacro Offer ".car"
  !insertmacro Offer ".cas"
  !insertmacro Offer ".bas"
  WriteRegStr HKCU "${REMOVAL}" "DisplayName" "Anticlock"
  WriteRegStr HKCU "${REMOVAL}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${REMOVAL}" "DisplayIcon" "$INSTDIR\anticlock.exe"
  WriteRegStr HKCU "${REMOVAL}" "Publisher" "The Anticlock developers"
  WriteRegStr HKCU "${REMOVAL}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegStr HKCU "${REMOVAL}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
  WriteRegDWORD HKCU "${REMOVAL}" "NoModify" 1
  WriteRegDWORD HKCU "${REMOVAL}" "NoRepair" 1
  !insertmacro Desktop
SectionEnd

Section "Uninstall"
  Delete "$INSTDIR\anticlock.exe"
  Delete "$INSTDIR\manual.md"
  Delete "$INSTDIR\CHANGELOG.md"
  Delete "$INSTDIR\LICENSE-MIT"
  Delete "$INSTDIR\LICENSE-APACHE"
  Delete "$INSTDIR\uninstall.exe"
  RMDir "$INSTDIR"
  Delete "$SMPROGRAMS\Anticlock.lnk"
  !insertmacro un.Offer ".atr"
  !insertmacro un.Offer ".xex"
  !insertmacro un.Offer ".car"
  !insertmacro un.Offer ".cas"
  !insertmacro un.Offer ".bas"
  DeleteRegKey HKCU "${CLASSES}\${FILE_TYPE}"
  DeleteRegKey HKCU "${REMOVAL}"
  DeleteRegKey HKCU "Software\Anticlock"
  !insertmacro Desktop
SectionEnd
