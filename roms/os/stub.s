        .include "variables.inc"
        .include "modules.inc"
        .segment "INIT"
RESET:  jmp RESET
