; Variables. What needs a value at the start gets it in BOOTUP or INIT.

        .include "equates.inc"
        .include "modules.inc"

        .segment "DATA"

; Of each IOCB 16 bytes: the file that is open on it. The link of DOS.SYS's last sector comes here, too, when it is loaded.
FMODE:  .res    1                       ; AUX1 of its OPEN; 0 = no file
FDRV:   .res    1                       ; drive, 1 to 8
FFILE:  .res    1                       ; number in the directory * 4, as in the links
FSEC:   .res    2                       ; sector in the buffer; directory: the entry
FNEXT:  .res    2                       ; reading: the next sector. Append: the last one before
FPOS:   .res    1                       ; offset of the next byte
FCNT:   .res    1                       ; bytes in the sector, when reading
FBUF:   .res    1                       ; page of the buffer
FDIRTY: .res    1                       ; bit 7: to be written; bit 6: the sector is not in the buffer
FCOUNT: .res    2                       ; writing: sectors of the file
FSTART: .res    2                       ; writing: first sector that this OPEN added
FUPPER: .res    1                       ; writing: not 0 = one is above 719
        .res    16*7

MAP:    .res    128                     ; bit 7 of the first byte: sector 0. 1 = free
WORK:   .res    256                     ; a sector of the directory, or of the map

DENS:   .res    8                       ; of each drive: 0 = sectors of 128 bytes, 1 = of 256
CURDRV: .res    1                       ; drive of this call
CAP:    .res    1                       ; bytes of data in its sectors: 125 or 253
SECT:   .res    2                       ; sector to read or write
MAPDRV: .res    1                       ; drive that MAP belongs to, 0 = none
MAPDTY: .res    1                       ; not 0 = MAP was changed
MAPBUSY: .res   1                       ; drive whose map is being written
MAPUPP: .res    1                       ; not 0 = sectors above 719
MAPDOS: .res    1                       ; first byte of the VTOC: 2 = DOS 2
WSEC:   .res    1                       ; low byte of the directory's sector in WORK, 0 = none
WDRV:   .res    1                       ; its drive
FNAME:  .res    11                      ; name to find
NNAME:  .res    11                      ; new name
SNAME:  .res    11                      ; kept while another one is looked for
WILD:   .res    1                       ; not 0 = ? or * in the name
DIRNO:  .res    1                       ; number of an entry
FREENO: .res    1                       ; number of the first free entry
ENT:    .res    1                       ; its offset in WORK
FILE:   .res    1                       ; its number * 4
FX:     .res    1                       ; IOCB * 16
STK:    .res    1                       ; stack at the call
CALLER: .res    1                       ; page of the caller
CHAR:   .res    1                       ; byte of GET and PUT
NEXTS:  .res    2                       ; link to write
NUMBER: .res    2
LIMIT:  .res    1
AMOUNT: .res    1
OURDOS: .res    1                       ; not 0 = the file is DOS.SYS
BOOTED: .res    1                       ; not 0 = AUTORUN.SYS has had its turn
SEGHEAD: .res   4                       ; first and last address of a segment
LETTER: .res    1                       ; density of a format
CPSTAT: .res    1                       ; status of the program that was run
CPPAGE: .res    1                       ; where the commands are
CPDRV:  .res    1                       ; digit of the drive of the command line

BUFFERS:                                ; a page for each file, up to MEMLO
