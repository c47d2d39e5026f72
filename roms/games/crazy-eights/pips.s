; Crazy Eights, extra lines: card.s with pips on the number cards. It takes the place of card.s in the string CHAR$.
WITH_PIPS = 1
        .include "card.s"
